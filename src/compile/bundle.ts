import { access, constants, readFile, stat } from "node:fs/promises";
import { realpathSync } from "node:fs";
import { basename, dirname, extname, join, posix, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { BuildFailure, BuildResult, Loader, Message, Plugin } from "esbuild";
import * as authoring from "../authoring.ts";
import type { Diagnostic } from "../model.ts";
import { forRequire } from "./for-require.ts";
import { MOST_BYTES, notRegular, tooLarge } from "./file-text.ts";
import { didYouMean } from "./values.ts";

export interface Bundle {
  readonly code: string;
  /** The same as CommonJS, for the dispatcher; undefined where that cannot be. */
  readonly plain: string | undefined;
  /** Local files that are in it: absolute, sorted, without node_modules and our own library. */
  readonly inputs: readonly string[];
}

export interface BundleOptions {
  /** Paths in the code are relative to it, so that the code is the same wherever the project lies. */
  readonly root: string;
  /** What `import … from "anyhook"` means. */
  readonly libraryFile: string;
  /** The code will be loaded from memory, so its own address is written into it. */
  readonly inMemory?: boolean | undefined;
}

export type Bundled = Bundle | { readonly diagnostics: readonly Diagnostic[] };

/** One module with everything it imports, as one text. Nothing is written. */
export async function bundle(file: string, options: BundleOptions): Promise<Bundled> {
  const { root, libraryFile, inMemory = false } = options;
  const url = JSON.stringify(pathToFileURL(file).href);
  const base = realpathSync(root);
  try {
    // Loaded only when there is a module to bundle: most projects have none.
    const { build } = await import("esbuild");
    const result = await build({
      entryPoints: [file],
      absWorkingDir: base,
      bundle: true,
      write: false,
      metafile: true,
      format: "esm",
      platform: "node",
      target: "node20",
      legalComments: "none",
      charset: "utf8",
      logLevel: "silent",
      // A tsconfig.json is no input that the gate watches, so it has no say.
      tsconfigRaw: "{}",
      plugins: [library(libraryFile), sensible()],
      ...(inMemory ? { define: { "import.meta.url": url } } : {}),
    });
    const code = result.outputFiles[0]?.text ?? "";
    return {
      code: withRequire(code, inMemory ? url : "import.meta.url"),
      plain: inMemory ? undefined : await forRequire(code),
      inputs: inputsOf(result, base),
    };
  } catch (cause) {
    return { diagnostics: diagnosticsOf(cause, file, base) };
  }
}

/** CommonJS packages call `require`, which a module does not have. */
const requireFrom = (url: string): string =>
  'import { createRequire as __createRequire } from "node:module";\n' +
  `const require = __createRequire(${url});\n`;

const withRequire = (code: string, url: string): string =>
  code.includes("Dynamic require of ") ? requireFrom(url) + code : code;

function inputsOf(result: BuildResult, base: string): string[] {
  const names = Object.keys(result.metafile?.inputs ?? {});
  const local = names.filter((name) => !/(?:^|\/)node_modules\//.test(name) && !isVirtual(name));
  return local.map((name) => resolve(base, name)).toSorted();
}

const isVirtual = (name: string): boolean => /^[a-z()-]+:/i.test(name) || name === "<runtime>";

/** A namespace of its own: as plain files, the library's machine path would show in the code. */
function library(libraryFile: string): Plugin {
  const namespace = "anyhook";
  const own = (path: string) => ({ path, namespace, sideEffects: false });
  return {
    name: "anyhook",
    setup(build) {
      build.onResolve({ filter: /^anyhook$/ }, () => own(basename(libraryFile)));
      build.onResolve({ filter: /^\.{1,2}\//, namespace }, ({ path, importer }) =>
        own(posix.join(posix.dirname(importer), path)),
      );
      build.onLoad({ filter: /.*/, namespace }, async ({ path }) => ({
        contents: await readFile(join(dirname(libraryFile), path), "utf8"),
        loader: (extname(path) === ".ts" ? "ts" : "js") satisfies Loader,
      }));
    },
  };
}

/** Installed packages may be large; what is written here is not, and a device never ends. */
const MOST_INSTALLED = 16 * MOST_BYTES;

/** esbuild reads whatever it is told to, to the end. */
function sensible(): Plugin {
  return {
    name: "sensible",
    setup(build) {
      build.onLoad({ filter: /.*/, namespace: "file" }, async ({ path }) => {
        const found = await stat(path).catch(() => undefined);
        if (!found) return undefined;
        const isReadable = await access(path, constants.R_OK).then(
          () => true,
          () => false,
        );
        if (!isReadable) return { errors: [{ text: `${path} cannot be read` }] };
        const most = /\/node_modules\//.test(path) ? MOST_INSTALLED : MOST_BYTES;
        const { message } = found.isFile() ? tooLarge(found.size) : notRegular();
        if (found.isFile() && found.size <= most) return undefined;
        return { errors: [{ text: `${path} ${message}` }] };
      });
    },
  };
}

function diagnosticsOf(cause: unknown, file: string, base: string): Diagnostic[] {
  const errors = (cause as Partial<BuildFailure>).errors;
  if (!Array.isArray(errors) || errors.length === 0)
    return [bundleFailed(file, 0, cause instanceof Error ? cause.message : String(cause))];
  return errors.slice(0, 5).map(({ location, text }: Message) => {
    const at = location ? resolve(base, location.file) : file;
    return inLibrary(text, at, location?.line ?? 0) ?? bundleFailed(at, location?.line ?? 0, text);
  });
}

/** Nobody knows what our library is called inside of a bundle. */
function inLibrary(text: string, file: string, line: number): Diagnostic | undefined {
  const [, name] = /^No matching export in "anyhook:.*" for import "(.*)"$/.exec(text) ?? [];
  if (name === undefined) return undefined;
  const message = `"anyhook" has no "${name}" to import`;
  return { ...bundleFailed(file, line, message), hint: didYouMean(name, Object.keys(authoring)) };
}

const bundleFailed = (file: string, line: number, message: string): Diagnostic => ({
  file,
  line,
  severity: "error",
  code: "bundle-failed",
  message,
  hint: hintFor(message),
  hook: "",
});

const hintFor = (message: string): string =>
  message.startsWith("Could not resolve")
    ? "install the package in the project, or correct the path (with its extension)"
    : "correct the code; the last version that could be bundled stays in force";
