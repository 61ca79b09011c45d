import type { Decision, Reply } from "../model.ts";
import type { ReplyTemplate } from "./_contract.ts";

/** The decision in the harness's own words. `stderr` is what blocking hooks wrote there. */
export function encodeReply(template: ReplyTemplate, decision: Decision, stderr: string): Reply {
  const holes = {
    R: decision.reason === "" ? "" : JSON.stringify(decision.reason),
    C: decision.context === "" ? "" : JSON.stringify(decision.context),
    I: decision.input,
    N: decision.notice === "" ? "" : JSON.stringify(decision.notice),
  };
  const beside = template.err === "reason+context" && decision.context !== "";
  const err = beside ? `${stderr}\n\n${decision.context}` : stderr;
  const out = fillTemplate(template.out, holes);
  return { stdout: out === "" ? "" : `${out}\n`, stderr: err, exit: template.exit };
}

type Holes = Readonly<Record<string, string>>;

function fillTemplate(template: string, holes: Holes): string {
  let text = "";
  template.split("`").forEach((part, index) => {
    const optional = index % 2 === 1;
    if (optional && hasEmptyHole(part, holes)) return;
    text +=
      text.endsWith("{") && part.startsWith(",") ? fill(part.slice(1), holes) : fill(part, holes);
  });
  return text === "{}" ? "" : text;
}

const hasEmptyHole = (part: string, holes: Holes): boolean =>
  [...part.matchAll(/\$([RCIN])/g)].some(([, hole]) => holes[hole!] === "");

const fill = (part: string, holes: Holes): string =>
  part.replace(/\$([RCIN])/g, (_, hole: string) => holes[hole] ?? "");
