import { type Adapter, budgetOf, type Surface } from "../adapters/_contract.ts";
import type { Compiled } from "../compile/compile.ts";
import type { EventSettings } from "../model.ts";
import { contractOf } from "../install/contract.ts";
import { REMOTE } from "../compile/remote.ts";
import { reachOf } from "./_reach.ts";
import { span } from "./_words.ts";

export interface Limit {
  readonly harness: string;
  readonly hook: string;
  readonly event: string;
  readonly message: string;
}

/** Where a hook cannot do on a harness what it says. */
export function limitsOf({ hooks, settings }: Compiled, adapter: Adapter): Limit[] {
  return hooks.flatMap((hook) => {
    if (hook.harness.length > 0 && !hook.harness.includes(adapter.id)) return [];
    const { blockable } = (settings as Readonly<Record<string, EventSettings>>)[hook.event] ?? {
      blockable: false,
    };
    const { fires, deny } = reachOf(hook, adapter, blockable);
    const says = (message: string): Limit[] => [
      { harness: adapter.id, hook: hook.name, event: hook.event, message },
    ];
    const budget = REMOTE.includes(hook.kind) ? budgetAt(adapter, hook.event) : Infinity;
    if (fires && !hook.async && hook.timeout > budget)
      return says(`is ended after ${span(budget)}, before its timeout of ${span(hook.timeout)}`);
    if (!fires) return says(`never runs: ${adapter.title} has no ${hook.event}`);
    if (!hook.block || deny === "deny") return [];
    if (deny === "halt") return says(`a deny becomes a halt at ${hook.event}`);
    return says(`cannot block: ${adapter.title} has no way to deny ${hook.event}`);
  });
}

const budgetAt = ({ surfaces }: Adapter, event: string): number => {
  const surface = (surfaces as Readonly<Record<string, Surface>>)[event];
  return surface ? budgetOf(surface) : Infinity;
};

/** Where nothing is called: only what the lifecycle commands bring about can run. */
export function hooklessLimits({ hooks }: Compiled, adapter: Adapter): Limit[] {
  const rows = contractOf(adapter, false);
  return hooks.flatMap((hook) => {
    if (hook.harness.length > 0 && !hook.harness.includes(adapter.id)) return [];
    const row = rows.find(({ event }) => event === hook.event);
    const says = (message: string): Limit[] => [
      { harness: adapter.id, hook: hook.name, event: hook.event, message },
    ];
    if (row?.support !== "adapted") {
      const instead = row && row.fallback !== "none" ? `; instead: ${row.fallback}` : "";
      return says(`never runs: ${adapter.title} calls no hooks here, at ${hook.event}${instead}`);
    }
    if (hook.block && !row.can.block)
      return says(`cannot block: nothing stands in for a deny at ${hook.event}`);
    return [];
  });
}
