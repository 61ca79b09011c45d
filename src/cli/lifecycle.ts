import { join } from "node:path";
import { adapterOf } from "../adapters/_all.ts";
import { storeRoot } from "../dispatch/layout.ts";
import { connection } from "../install/connection.ts";
import {
  begin,
  end,
  look,
  markHeld,
  type Looked,
  type Session,
  type Thread,
  threadAt,
  wasHeld,
} from "../install/lifecycle-state.ts";
import { presenceOf } from "../install/presence.ts";
import { capabilityOf } from "../install/runtime.ts";
import { pathAt } from "../install/site.ts";
import { skillText, writeSkill } from "../install/skill.ts";
import { bringAbout } from "./_by-hand.ts";
import { type Answer, type Call, Missing, Misuse } from "./_call.ts";
import { siteHere } from "./_harnesses.ts";
import { rootHere } from "./_project.ts";
import { adapterNamed } from "./_surface.ts";
import { ago, listed } from "./_words.ts";

/** `lifecycle <harness> <action>`: sessions of a harness without hooks, begun and ended by hand. */
export async function lifecycle(call: Call): Promise<Answer> {
  const [harness = "", action = ""] = call.operands;
  return acted(call, harness, action);
}

/** `codex <action>` is the same for one harness. */
export const lifecycleOf =
  (harness: string) =>
  async (call: Call): Promise<Answer> =>
    acted(call, harness, call.operands[0] ?? "");

async function acted(call: Call, harness: string, action: string): Promise<Answer> {
  const adapter = harness === "manual" ? { id: harness, title: "By hand" } : adapterNamed(harness);
  if (!Object.hasOwn(ACTIONS, action))
    throw new Misuse(`there is no action "${action}"`, `say ${listed(Object.keys(ACTIONS), "or")}`);
  const { id, why } = threadOf(call, adapter.id);
  const thread = threadAt(storeRoot(call.env), adapter.id, id);
  return ACTIONS[action as keyof typeof ACTIONS]({ call, thread, title: adapter.title, why });
}

interface Asked {
  readonly call: Call;
  readonly thread: Thread;
  readonly title: string;
  /** How the thread's id was found. */
  readonly why: string;
}

/** The session's id as the harness tells it to the commands it runs; else one per project. */
function threadOf(call: Call, harness: string): { id: string; why: string } {
  const given = call.text("thread");
  if (given !== undefined && given !== "") return { id: given, why: "named by --thread" };
  for (const name of adapterOf(harness)?.presence.session ?? []) {
    const value = call.env[name] ?? "";
    if (value !== "") return { id: value, why: `named by ${name}` };
  }
  const root = rootHere(call) || call.from;
  return { id: `project:${root}`, why: "no id given, so one session per project" };
}

const ACTIONS = {
  start,
  "ensure-start": start,
  stop,
  "ensure-stop": stop,
  status: async (asked: Asked) => statusOf(asked, look(asked.thread)),
  prompt: (asked: Asked) =>
    said(asked, "UserPromptSubmit", { prompt: asked.call.text("text") ?? "" }),
  "task-completed": (asked: Asked) =>
    said(asked, "TaskCompleted", { task_subject: asked.call.text("text") ?? "" }),
  skill,
} satisfies Record<string, (asked: Asked) => Promise<Answer>>;

async function start(asked: Asked): Promise<Answer> {
  const { call, thread } = asked;
  if (isConnected(call, thread.harness)) return answered(asked, false, BY_HOOKS, undefined, WHOLE);
  const { session: before, damaged } = look(thread);
  const session = begin(thread, rootHere(call) || call.from, new Date());
  if (!session) {
    const since = before?.started ?? "";
    const why = `already started${since === "" ? "" : ` ${ago(since)}`}: once per thread`;
    return answered(asked, false, why, look(thread).session, { damaged });
  }
  const source = before ? "resume" : "startup";
  const { context, notice, stderr } = await bringAbout(call, thread.harness, "SessionStart", {
    ...common(asked, session),
    source,
  });
  if (stderr !== "") process.stderr.write(stderr);
  const why = before ? "the thread goes on after it was stopped" : "first start of this thread";
  return answered(asked, true, why, session, { damaged, context, notice });
}

async function stop(asked: Asked): Promise<Answer> {
  const { call, thread } = asked;
  if (isConnected(call, thread.harness)) return answered(asked, false, BY_HOOKS, undefined, WHOLE);
  const { session: before, damaged } = look(thread);
  if (!before || before.stopped !== "") {
    const why = before ? `already stopped ${ago(before.stopped)}` : "it was never started";
    return answered(asked, false, why, before, { damaged });
  }
  if (call.flag("close-loop")) {
    const { verdict, reason } = await bringAbout(call, thread.harness, "Stop", {
      ...common(asked, before),
      stop_hook_active: wasHeld(thread),
    });
    if (verdict === "deny") {
      markHeld(thread);
      const held = answered(asked, false, `held back by a hook: ${reason}`, before, { damaged });
      return { ...held, exit: 1 };
    }
  }
  const session = end(thread, new Date());
  if (!session)
    return answered(asked, false, "somebody else has just stopped it", look(thread).session, {
      damaged,
    });
  await bringAbout(call, thread.harness, "SessionEnd", {
    ...common(asked, session),
    reason: "other",
  });
  return answered(asked, true, "the thread was running", session, { damaged });
}

const BY_HOOKS = "the harness calls hooks itself here, and they do this";
const WHOLE: More = { damaged: "" };

/** A skill that calls us must not do again what hooks have done. */
function isConnected(call: Call, harness: string): boolean {
  const adapter = adapterOf(harness);
  if (!adapter || connection(adapter, siteHere(call)).length === 0) return false;
  return capabilityOf(adapter, presenceOf(adapter, call.env)).capability === "native";
}

/** Printed, or written where the harness looks for skills. */
async function skill({ call, thread, title }: Asked): Promise<Answer> {
  const text = skillText(thread.harness, thread.harness === "manual" ? "" : title);
  if (!call.flag("write")) return { exit: 0, json: { skill: text }, text: text.trimEnd() };
  const folder = adapterOf(thread.harness)?.settings.skills;
  if (folder === undefined)
    throw new Missing(`we do not know where ${title} looks for skills`, "leave out --write");
  const file = join(pathAt(folder, siteHere(call)), "anyhook-lifecycle/SKILL.md");
  const written = writeSkill(file, text);
  const said = written ? `Written: ${file}` : `Nothing to change in ${file}.`;
  return { exit: 0, json: { skill: text, file, written }, text: said };
}

/** A prompt or a finished task, told by a skill: context comes back, a block is exit 1. */
async function said(asked: Asked, event: string, more: object): Promise<Answer> {
  const { call, thread } = asked;
  const { session } = look(thread);
  const { verdict, reason, context, notice } = await bringAbout(call, thread.harness, event, {
    ...common(asked, session),
    ...more,
  });
  const blocked = verdict === "deny";
  const text = [blocked ? call.paint.bad(`Blocked: ${reason}`) : "", context, notice]
    .filter((part) => part !== "")
    .join("\n\n");
  return { exit: blocked ? 1 : 0, json: { event, blocked, reason, context, notice }, text };
}

const common = ({ thread, call }: Asked, session: Session | undefined): object => ({
  session_id: thread.thread,
  transcript_path: "",
  cwd: session?.project ?? call.from,
});

interface More {
  readonly damaged: string;
  readonly context?: string;
  readonly notice?: string;
}

function answered(
  { call, thread, title, why: found }: Asked,
  performed: boolean,
  why: string,
  session: Session | undefined,
  { damaged, context = "", notice = "" }: More,
): Answer {
  const head = performed ? call.paint.good("performed") : call.paint.odd("not performed");
  const lines = [
    `${head}: ${why} (${title}, thread ${thread.thread}; ${found})`,
    ...(damaged === ""
      ? []
      : [call.paint.odd(`A state file was damaged and set aside: ${damaged}`)]),
    ...[context, notice].filter((part) => part !== ""),
  ];
  const json = {
    performed,
    why,
    thread: thread.thread,
    session: session ?? null,
    damaged,
    context,
    notice,
  };
  return { exit: 0, json, text: lines.join("\n\n") };
}

function statusOf({ call, thread, title, why }: Asked, { session, damaged }: Looked): Answer {
  const state = !session ? "not started" : session.stopped === "" ? "running" : "stopped";
  const since = !session
    ? ""
    : session.stopped === ""
      ? `: it began ${ago(session.started)}`
      : `: it ended ${ago(session.stopped)}`;
  const text = `${title}: thread ${thread.thread} (${why}) is ${call.paint.strong(state)}${since}`;
  const set =
    damaged === ""
      ? ""
      : `\n${call.paint.bad(`A state file was damaged and set aside: ${damaged}`)}`;
  const json = {
    harness: thread.harness,
    thread: thread.thread,
    state,
    session: session ?? null,
    damaged,
  };
  return { exit: damaged === "" ? 0 : 1, json, text: text + set };
}
