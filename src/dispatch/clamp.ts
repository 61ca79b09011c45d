import type { Surface } from "../adapters/_contract.ts";
import type { Hook, Verdict, VerdictKind } from "../model.ts";

/** What a hook's verdict may become here: never weaker in silence. */
export interface Clamped {
  readonly kind: VerdictKind;
  readonly reason: string;
  /** Who refused a block: the hook may not, a setting forbids it, or the event cannot (R2). */
  readonly refused: "" | "hook" | "setting" | "event";
  readonly clampedFrom: VerdictKind | "";
  readonly unenforced: string;
}

export function clampVerdict(
  hook: Hook,
  verdict: Verdict,
  blockable: boolean,
  surface: Surface,
  where: string,
  tableBlocks = false,
): Clamped {
  const mayBlock = hook.block && blockable;
  const kept = {
    kind: verdict.kind,
    reason: verdict.reason,
    clampedFrom: "",
    unenforced: "",
  } as const;
  if ((verdict.kind === "deny" || verdict.kind === "halt") && !mayBlock)
    return {
      ...kept,
      kind: "pass",
      refused: blockable ? "hook" : tableBlocks ? "setting" : "event",
    };
  if (surface.replies[verdict.kind]) return { ...kept, refused: "" };
  const kind = substitute(verdict, mayBlock, surface);
  const quiet = verdict.kind === "allow" && verdict.inputMode === "";
  return {
    kind: kind ?? "pass",
    reason: verdict.reason || (kind === "deny" || kind === "halt" ? inputReason(hook) : ""),
    refused: "",
    clampedFrom: quiet ? "" : verdict.kind,
    unenforced: kind === undefined ? `${verdict.kind} cannot be expressed at ${where}` : "",
  };
}

const inputReason = (hook: Hook): string =>
  `Hook ${hook.name} wanted to change the input, which is not possible here.`;

/** allow→pass, and anything stricter → deny → halt, or halt → deny; undefined when nothing fits. */
function substitute(
  verdict: Verdict,
  mayBlock: boolean,
  surface: Surface,
): VerdictKind | undefined {
  if (verdict.kind === "allow")
    return verdict.inputMode !== "" && surface.replies.rewrite ? "rewrite" : "pass";
  if (!mayBlock) return undefined;
  if (verdict.kind !== "deny" && surface.replies.deny) return "deny";
  return verdict.kind !== "halt" && surface.replies.halt ? "halt" : undefined;
}
