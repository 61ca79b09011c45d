import { compile, type Compiled } from "../compile/compile.ts";
import { layerRoots, type Installation } from "../compile/materialize.ts";
import { copied, type Origin } from "./copied.ts";
import { isAsking } from "./own-hooks.ts";
import { makeStage } from "./stage.ts";

export interface TheirHooks {
  readonly compiled: Compiled & {
    /** Names of all hooks that ask somebody outside, also of those that were not asked for. */
    readonly asking: readonly string[];
  };
  /** What of the project is not on a stage; empty when all of it is. */
  readonly without: string;
  /** Mistakes in what they wrote; those hooks are not among the compiled ones. */
  readonly mistakes: number;
}

/** The person's hooks as they are compiled on a stage: nothing is written where they are. */
export async function theirHooks(
  origin: Origin,
  { library: libraryFile }: Installation,
): Promise<TheirHooks> {
  const stage = makeStage();
  try {
    const { without } = copied(origin, stage);
    const compiled = await compile({
      roots: layerRoots(stage.project, { HOME: stage.home }),
      ...{ projectRoot: stage.project, libraryFile, nodePath: process.execPath },
    });
    const asking = [...new Set(compiled.hooks.filter(isAsking).map(({ name }) => name))];
    const errors = compiled.diagnostics.filter(({ severity }) => severity === "error");
    return { compiled: { ...compiled, asking }, without, mistakes: errors.length };
  } finally {
    stage.clear();
  }
}

/** Only those of some events, or with one name. */
export const narrowed = (
  { compiled, mistakes, ...rest }: TheirHooks,
  events: readonly string[],
  name: string | undefined,
): TheirHooks => ({
  ...rest,
  // Whoever asks for one hook that runs does not ask about the others.
  mistakes: name === undefined ? mistakes : 0,
  compiled: {
    ...compiled,
    hooks: compiled.hooks.filter(
      (hook) => (name === undefined || hook.name === name) && events.includes(hook.event),
    ),
  },
});
