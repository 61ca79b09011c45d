import { takesContext, type Adapter } from "../adapters/_contract.ts";
import { clampVerdict } from "../dispatch/clamp.ts";
import { PASS } from "../handlers/_verdict.ts";
import type { Hook, VerdictKind } from "../model.ts";
import { surfaceOf } from "./_surface.ts";

/** What becomes of an opinion: itself, a stricter one, refused (R2), or said but not enforced. */
export type Effect = VerdictKind | "refused" | "unenforced";

/** What one hook can do at one event of one harness. */
export interface Reach {
  readonly harness: string;
  readonly title: string;
  readonly event: string;
  /** false where the harness has no such event, or the hook is limited to others. */
  readonly fires: boolean;
  readonly deny: Effect;
  readonly ask: Effect;
  readonly rewrite: Effect;
  readonly context: boolean;
}

/** Asked of the dispatcher's own rules, so that it cannot differ from what happens. */
export function reachOf(hook: Hook, adapter: Adapter, blockable: boolean): Reach {
  const surface = surfaceOf(adapter, hook.event);
  const meant = hook.harness.length === 0 || hook.harness.includes(adapter.id);
  const effect = (kind: VerdictKind): Effect => {
    if (!surface) return "unenforced";
    const verdict = {
      ...PASS,
      kind,
      inputMode: kind === "rewrite" ? ("merge" as const) : ("" as const),
    };
    const clamped = clampVerdict(hook, verdict, blockable, surface, "");
    if (clamped.refused !== "") return "refused";
    return clamped.unenforced === "" ? clamped.kind : "unenforced";
  };
  return {
    ...{ harness: adapter.id, title: adapter.title, event: hook.event },
    fires: surface !== undefined && meant,
    ...{ deny: effect("deny"), ask: effect("ask"), rewrite: effect("rewrite") },
    context: surface !== undefined && takesContext(surface),
  };
}
