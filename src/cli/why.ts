import type { Layout } from "../dispatch/layout.ts";
import type { LedgerEntry } from "../ledger/entry.ts";
import type { Tally } from "../ledger/read.ts";
import { type Answer, type Call, Missing } from "./_call.ts";
import { entriesNamed, hasDecided, lastEntry, shortId, traceOf } from "./_entries.ts";
import { layoutHere } from "./_project.ts";
import { table } from "./_table.ts";
import { decidersOf, traceText } from "./_trace.ts";
import { clock, count } from "./_words.ts";

export async function why(call: Call): Promise<Answer> {
  const layout = layoutHere(call);
  const [written = "last"] = call.operands;
  const tally = { damaged: 0 };
  const entry = written === "last" ? theLast(layout, call, tally) : theOne(layout, written, tally);
  const trace = traceOf(layout, entry);
  const deciders = decidersOf(entry).map(({ name }) => ({
    name,
    source: trace.sources.get(name) ?? "",
  }));
  const quiet = written === "last" && !call.flag("any") && !hasDecided(entry);
  const lines = [
    ...(quiet ? ["No hook has decided anything yet; this is the last event."] : []),
    traceText(trace, call.paint, call.width),
    ...(tally.damaged > 0
      ? [call.paint.odd(`${count(tally.damaged, "damaged line")} in the ledger passed over`)]
      : []),
  ];
  const json = {
    entry: entry.raw,
    decidedBy: deciders,
    later: trace.later.map(({ raw }) => raw),
    damaged: tally.damaged,
  };
  return { exit: 0, json, text: lines.join("\n") };
}

const FIRST = "it begins with the first event of an agent; anyhook demo shows one";

function theLast(layout: Layout, call: Call, tally: Tally): LedgerEntry {
  const entry = lastEntry(layout, call.flag("any"), tally);
  if (entry) return entry;
  const where = layout.root === "" ? "outside of any project" : `in ${layout.root}`;
  throw new Missing(`nothing has happened yet ${where}`, FIRST);
}

function theOne(layout: Layout, written: string, tally: Tally): LedgerEntry {
  const found = entriesNamed(layout, written, tally);
  if (found.length === 1) return found[0]!;
  if (found.length === 0)
    throw new Missing(`no event has an id that begins with "${written}"`, "anyhook log shows them");
  const rows = found
    .slice(0, 5)
    .map((entry) => [shortId(entry), entry.event, entry.tool, clock(entry.time)]);
  throw new Missing(
    `${count(found.length, "event")} have an id that begins with "${written}"`,
    `say more:\n${table(rows, { indent: 4 })}`,
  );
}
