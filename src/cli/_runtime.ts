import { ADAPTERS } from "../adapters/_all.ts";
import type { Adapter } from "../adapters/_contract.ts";
import { detect } from "../install/detect.ts";
import { examine, type Finding } from "../install/examine.ts";
import type { Call } from "./_call.ts";
import { siteHere } from "./_harnesses.ts";
import { adapterNamed } from "./_surface.ts";

/** What `--runtime` asks for, and whether hooks reach it. */
export interface RuntimeCheck {
  /** As in `detect`: claude-code, codex-native, codex-hookless …, manual. */
  readonly name: string;
  readonly why: string;
  readonly adapters: readonly Adapter[];
  /** Of these, the ones that call no hooks in the version that is here. */
  readonly hookless: readonly Adapter[];
  readonly findings: readonly Finding[];
}

/** undefined when nobody asked. A harness that is not on this machine cannot be connected here. */
export function runtimeCheck(call: Call, asked: string | undefined): RuntimeCheck | undefined {
  if (asked === undefined) return undefined;
  if (asked === "manual")
    return {
      ...{ name: asked, why: "by hand: inject, forge and flywheel" },
      ...{ adapters: [], hookless: [], findings: [] },
    };
  const { runtime, harnesses } = detect(ADAPTERS, call.env);
  const present = harnesses.filter(({ capability }) => capability !== "absent");
  const adapters =
    asked === "auto"
      ? ADAPTERS.filter(({ id }) => present.some((one) => one.id === id))
      : [adapterNamed(asked)];
  const site = siteHere(call);
  const findings = adapters.flatMap((adapter) =>
    examine(
      adapter,
      harnesses.find(({ id }) => id === adapter.id)!,
      site,
    ),
  );
  const hookless = adapters.filter(
    ({ id }) => harnesses.find((one) => one.id === id)!.capability === "hookless",
  );
  const check = { adapters, hookless, findings };
  if (asked === "auto") return { name: runtime.name, why: runtime.why, ...check };
  const { id } = adapters[0]!;
  const found = harnesses.find((one) => one.id === id)!;
  const name = found.capability === "hookless" ? `${id}-hookless` : id;
  return { name, why: found.why, ...check };
}

export const wrongWith = ({ findings }: RuntimeCheck): readonly Finding[] =>
  findings.filter(({ grade }) => grade === "error" || grade === "warning");

export function runtimeText(check: RuntimeCheck, { paint }: Call): string {
  const lines = wrongWith(check).map(({ harness, grade, message, fix }) => {
    const word = grade === "error" ? paint.bad(grade) : paint.odd(grade);
    const head = `  ${paint.name(harness)}: ${word}: ${message}`;
    return fix === "" ? head : `${head}\n    ${fix}`;
  });
  return [`${paint.quiet("runtime")}  ${paint.strong(check.name)}: ${check.why}`, ...lines].join(
    "\n",
  );
}
