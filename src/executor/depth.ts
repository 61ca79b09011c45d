import { AsyncLocalStorage } from "node:async_hooks";

/** How deep inside other hooks this call is: within the process, and around it. */
export function depthHere(env: NodeJS.ProcessEnv): number {
  return inside.getStore() ?? Number(env["ANYHOOK_DEPTH"] || 0);
}

/** Whether a hook that runs in this process has called us. */
export const isInside = (): boolean => inside.getStore() !== undefined;

const inside = new AsyncLocalStorage<number>();

/** Whatever `call` starts, now or later, counts as inside a hook. */
export const atDepth = <T>(depth: number, call: () => T): T => inside.run(depth, call);
