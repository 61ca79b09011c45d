import type { Diagnostic } from "../model.ts";
import { portable } from "./rows.ts";

/** Beyond this nobody reads on; validate has it all. */
const LONGEST = 400;

/** What a session is told while there are mistakes, in one line; "" without any. */
export function saidWrong(diagnostics: readonly Diagnostic[], root: string): string {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const [first] = errors;
  if (!first) return "";
  const hooks = new Set(errors.map(({ hook }) => hook));
  const one = errors.length === 1;
  const who = hooks.has("")
    ? `${errors.length} ${one ? "mistake" : "mistakes"} in the hooks`
    : `${hooks.size} ${hooks.size === 1 ? "hook has" : "hooks have"} ${one ? "a mistake" : "mistakes"}`;
  const place = portable(first.file, root) + (first.line > 0 ? `:${first.line}` : "");
  return `${who} (${oneLine(place)}: ${oneLine(first.message)}); run anyhook validate`;
}

function oneLine(text: string): string {
  const characters = [...text.replace(/\p{Cc}+/gu, " ")];
  const short = characters.slice(0, LONGEST).join("");
  return characters.length > LONGEST ? `${short}…` : short;
}
