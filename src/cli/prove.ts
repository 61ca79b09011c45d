import { ADAPTERS } from "../adapters/_all.ts";
import { EVENT_NAMES, resolveEvent, suggest, type EventName } from "../events.ts";
import { givenPrograms } from "../prove/clients-here.ts";
import { prove, type Question, type Report } from "../prove/prove.ts";
import { narrowed, theirHooks, type TheirHooks } from "../prove/their-hooks.ts";
import { type Answer, type Call, Missing, Misuse } from "./_call.ts";
import { harnessesNamed, harnessesPresent, siteHere } from "./_harnesses.ts";
import { rootHere } from "./_project.ts";
import { shorten } from "./_table.ts";
import { listed } from "./_words.ts";
import { proofText } from "./_proof-text.ts";

/** Real clients, a scripted model, the person's own hooks. */
export async function proveNow(call: Call): Promise<Answer> {
  const site = siteHere(call);
  const given = Object.keys(givenPrograms(call.env));
  const here = [...harnessesPresent(site), ...ADAPTERS.filter(({ id }) => given.includes(id))];
  const adapters = harnessesNamed(call) ?? [...new Set(here)];
  if (adapters.length === 0) throw new Missing("no harness was found on this machine", NOBODY);
  const origin = { root: rootHere(call), env: call.env };
  const [events, theirs] = [eventsNamed(call), await theirHooks(origin, call.installation)];
  checkHook(call, theirs, events);
  const question: Question = {
    ...{ origin, installation: call.installation, adapters, events },
    theirs: narrowed(theirs, events, call.text("hook")),
    ...{ hook: call.text("hook"), native: call.flag("native") },
    progress: progressOn(process.stderr, call),
  };
  const report = await prove(question).finally(() => question.progress(""));
  const missing = namedInVain(call, report);
  const ok = report.ok && missing.length === 0;
  return {
    exit: ok ? 0 : 1,
    json: jsonOf({ ...report, ok }),
    text: proofText(report, call, missing),
  };
}

/** Who asks for one client by its name wants that one: another in its place is no proof. */
const namedInVain = (call: Call, { clients }: Report): string[] =>
  harnessesNamed(call) === undefined
    ? []
    : clients.filter(({ version }) => version === "").map(({ title }) => title);

const NOBODY =
  "install a client (Claude Code, Codex CLI, Gemini CLI, …) or put it on PATH; anyhook demo needs none";

/** The same members whatever was asked for. */
const jsonOf = ({ clients, ...report }: Report): unknown => ({
  ...report,
  clients: clients.map(({ timing, native, events, ...client }) => ({
    ...client,
    events: events.map((one) => ({ ...one, order: one.order ?? null })),
    timing: timing ?? null,
    native: native ?? null,
  })),
});

function eventsNamed(call: Call): readonly EventName[] {
  const text = call.text("event");
  if (text === undefined) return EVENT_NAMES;
  return text.split(",").map((name) => {
    const event = resolveEvent(name.trim());
    if (event !== undefined) return event;
    const near = suggest(name, EVENT_NAMES);
    throw new Misuse(
      `there is no event "${name}"`,
      near ? `did you mean ${near}?` : `known are ${listed(EVENT_NAMES)}`,
    );
  });
}

/** Before anything is started. */
function checkHook(call: Call, { compiled }: TheirHooks, events: readonly string[]): void {
  const name = call.text("hook");
  if (name === undefined) return;
  const at = compiled.hooks.filter((hook) => hook.name === name).map(({ event }) => event);
  if (at.some((event) => events.includes(event))) return;
  if (at.length > 0)
    throw new Missing(`"${name}" is not at ${listed(events, "or")}`, `it is at ${listed(at)}`);
  const names = [...new Set(compiled.definitions.map((one) => one.name))];
  if (names.includes(name))
    throw new Missing(`"${name}" does not run here`, `anyhook explain ${name} says why`);
  const near = suggest(name, names);
  throw new Missing(
    `there is no hook "${name}" here`,
    near ? `did you mean ${near}?` : "anyhook list shows them",
  );
}

/** One line that is written over, and only where somebody looks on. */
function progressOn(stream: NodeJS.WriteStream, { json }: Call): (what: string) => void {
  if (json || !stream.isTTY) return () => undefined;
  const room = (): number => Math.max(10, (stream.columns || 80) - 3);
  return (what) => stream.write(`\r\u001b[K${what === "" ? "" : `${shorten(what, room())} …`}`);
}
