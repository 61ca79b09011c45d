import { ADAPTERS } from "../adapters/_all.ts";
import { EVENT_NAMES, resolveEvent, suggest, type EventName } from "../events.ts";
import { givenPrograms } from "../prove/clients-here.ts";
import { prove, type Question, type Report } from "../prove/prove.ts";
import { type Answer, type Call, Missing, Misuse } from "./_call.ts";
import { harnessesNamed, harnessesPresent, siteHere } from "./_harnesses.ts";
import { rootHere } from "./_project.ts";
import { listed } from "./_words.ts";
import { proofText } from "./_proof-text.ts";

/** Real clients, a scripted model, the person's own hooks. */
export async function proveNow(call: Call): Promise<Answer> {
  const site = siteHere(call);
  const given = Object.keys(givenPrograms(call.env));
  const here = [...harnessesPresent(site), ...ADAPTERS.filter(({ id }) => given.includes(id))];
  const adapters = harnessesNamed(call) ?? [...new Set(here)];
  if (adapters.length === 0)
    throw new Missing("no harness was found on this machine", "name one with --harness");
  const question: Question = {
    origin: { root: rootHere(call), env: call.env },
    ...{ installation: call.installation, adapters, events: eventsNamed(call) },
    ...{ hook: call.text("hook"), native: call.flag("native") },
    progress: progressOn(process.stderr, call),
  };
  const report = await prove(question);
  question.progress("");
  checkHook(call, report);
  const missing = namedInVain(call, report);
  const ok = report.ok && missing.length === 0;
  return { exit: ok ? 0 : 1, json: { ...report, ok }, text: proofText(report, call, missing) };
}

/** Who asks for one client by its name wants that one: another in its place is no proof. */
const namedInVain = (call: Call, { clients }: Report): string[] =>
  harnessesNamed(call) === undefined
    ? []
    : clients.filter(({ version }) => version === "").map(({ title }) => title);

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

function checkHook(call: Call, { clients }: Report): void {
  const name = call.text("hook");
  if (name === undefined || clients.some(({ hooks }) => hooks.length > 0)) return;
  if (clients.every(({ version }) => version === "")) return;
  throw new Missing(`there is no hook "${name}" here`, "anyhook list shows them");
}

/** One line that is written over, and only where somebody looks on. */
function progressOn(stream: NodeJS.WriteStream, { json }: Call): (what: string) => void {
  if (json || !stream.isTTY) return () => undefined;
  return (what) => stream.write(`\r\u001b[K${what === "" ? "" : `${what} …`}`);
}
