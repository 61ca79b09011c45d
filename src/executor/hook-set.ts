import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Compiled } from "../compile/compile.ts";
import type { CompiledList, ListInput } from "../compile/compile-list.ts";
import type { Hook } from "../model.ts";
import type { HookExecutorOptions } from "./options.ts";
import type { Seen } from "./stamp.ts";

/** The hooks in force, with all that they refer to. */
export type HookSet = Pick<CompiledList, "hooks" | "automata" | "bundles" | "settings">;

export type Made = Omit<CompiledList, "failed"> & { readonly failed: boolean };

/** Where hooks come from. The compiler is loaded when it is first needed. */
export interface Origin {
  /** A file that counts only when it is there and whole; "" when there is none. */
  readonly main: string;
  /** Files, beside those that hooks name, whose change is a change of the hooks. */
  files(): Promise<readonly string[]>;
  compile(main: Seen, previous: readonly Hook[]): Promise<Made>;
}

type Input = Omit<ListInput, "previous" | "settings">;
type Given = HookExecutorOptions["settings"];

export function originOf(options: HookExecutorOptions, input: Input): Origin {
  const { hooksFile, hooks, project } = options;
  const given = [hooksFile, hooks, project].filter((one) => one !== undefined);
  if (given.length !== 1)
    throw new TypeError("say where the hooks are: one of hooksFile, hooks and project");
  if (hooksFile !== undefined) return fileOrigin(resolve(hooksFile), input, options.settings);
  return hooks === undefined
    ? projectOrigin(input, options.env)
    : objectsOrigin(hooks, input, options.settings);
}

/** As settings.json has them; a mistake in a program is an error of the program. */
async function settingsOf(given: Given): Promise<ListInput["settings"]> {
  const { reportOn } = await import("../compile/fields.ts");
  const { locate } = await import("../compile/located.ts");
  const { readSettings } = await import("../compile/settings-keys.ts");
  const report = reportOn("settings", "");
  const settings = readSettings(locate(given ?? {}, 0).entries ?? new Map(), report);
  const [first] = report.diagnostics;
  if (first) throw new TypeError(`settings: ${first.message} (${first.hint})`);
  return settings;
}

const none = async (): Promise<readonly string[]> => [];

function fileOrigin(main: string, input: Input, given: Given): Origin {
  return {
    main,
    files: none,
    async compile(seen, previous) {
      const { compileList } = await import("../compile/compile-list.ts");
      const { sourceWholeList, unreadable } = await import("../compile/source-whole-list.ts");
      const read =
        seen.problem === ""
          ? (place: Parameters<typeof sourceWholeList>[2]) =>
              sourceWholeList(main, seen.text, place)
          : async () => unreadable(main, seen.problem, seen.hint);
      const settings = await settingsOf(given);
      return compileList(read, { ...input, settings, previous });
    },
  };
}

function objectsOrigin(hooks: readonly unknown[], input: Input, given: Given): Origin {
  return {
    main: "",
    files: none,
    async compile(_, previous) {
      const { compileList } = await import("../compile/compile-list.ts");
      const { sourceObjects } = await import("../compile/source-objects.ts");
      const settings = await settingsOf(given);
      const of = { ...input, settings, previous };
      return compileList((place) => sourceObjects(hooks, place), of);
    },
  };
}

function projectOrigin(input: Input, env: NodeJS.ProcessEnv = process.env): Origin {
  let extra: readonly string[] = [];
  const rootsNow = async () => {
    const { layerRoots } = await import("../compile/materialize.ts");
    return layerRoots(input.projectRoot, env);
  };
  return {
    main: "",
    async files() {
      const roots = (await rootsNow()).map(({ root }) => root);
      return (await Promise.all([...new Set([...roots, ...extra])].map(filesBelow))).flat();
    },
    async compile(_, previous): Promise<Made> {
      const { compile } = await import("../compile/compile.ts");
      const roots = await rootsNow();
      const made: Compiled = await compile({ ...input, roots, previous });
      extra = made.roots.map(({ root }) => root);
      const { automata, bundles } = made;
      return { ...made, automata: new Map(automata), bundles: new Map(bundles), failed: false };
    },
  };
}

async function filesBelow(root: string): Promise<string[]> {
  try {
    const entries = await readdir(root, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => !entry.isDirectory());
    return files
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !/\/(node_modules|\.git)\//.test(path.slice(root.length)));
  } catch {
    return [];
  }
}
