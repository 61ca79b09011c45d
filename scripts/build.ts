/** dist/: one bundle per entry, the facts of the harnesses for the shell lane, the type files. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { build, type BuildOptions, type Plugin } from "esbuild";
import { ADAPTERS } from "../src/adapters/_all.ts";
import { BY_HAND, BY_HAND_ID, unknownHarness } from "../src/adapters/_by-hand.ts";
import { factsFile, harnessesFile } from "./facts.ts";

const root = process.cwd();
const dist = join(root, "dist");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  version: string;
};
const quick = process.argv.includes("--quick");

if (!quick) rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });

const shared = {
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  define: { ANYHOOK_VERSION: JSON.stringify(version) },
  legalComments: "none",
  logLevel: "warning",
  absWorkingDir: root,
} as const;

// Hot: one file each, no dependency, no shared chunk to load.
// The node lane is CommonJS, which starts a tenth of a bare Node start sooner.
// Handlers that are loaded when first needed stay files of their own: others do not pay for them.
const later: Plugin = {
  name: "later",
  setup: (build) =>
    build.onResolve({ filter: /^\.\/\w+\.ts$/ }, ({ kind, path }) =>
      kind === "dynamic-import"
        ? { path: `./handlers/${basename(path, ".ts")}.cjs`, external: true }
        : undefined,
    ),
};
// An event comes from one harness, so only its adapter is read.
const files = ADAPTERS.flatMap(({ id, aliases }) =>
  [id, ...aliases].map((name) => [name, `./adapters/${id}.cjs`]),
);
const oneAdapter: Plugin = {
  name: "one-adapter",
  setup(build) {
    build.onResolve({ filter: /\/adapters\/_all\.ts$/ }, ({ path }) => ({
      path,
      namespace: "one-adapter",
    }));
    build.onLoad({ filter: /./, namespace: "one-adapter" }, () => ({
      contents: `const files = new Map(${JSON.stringify(files)});
export const adapterOf = (id) => (files.has(id) ? require(files.get(id)).default : undefined);`,
    }));
  },
};
await build({
  ...shared,
  entryPoints: ["src/dispatch/entry.ts"],
  outfile: join(dist, "dispatch.cjs"),
  format: "cjs",
  plugins: [later, oneAdapter],
});
await build({
  ...shared,
  entryPoints: ADAPTERS.map(({ id }) => `src/adapters/${id}.ts`),
  outdir: join(dist, "adapters"),
  outExtension: { ".js": ".cjs" },
  format: "cjs",
});
await build({
  ...shared,
  entryPoints: ["http", "prompt", "agent"].map((name) => `src/handlers/${name}.ts`),
  outdir: join(dist, "handlers"),
  outExtension: { ".js": ".cjs" },
  format: "cjs",
});
// What the memory pack starts at every event. Only the database's driver stays outside; the rules
// for secrets are a second file, because most events do without them.
const memory: BuildOptions = {
  ...shared,
  format: "cjs",
  external: ["libsql"],
  mainFields: ["module", "main"],
  minify: true,
  legalComments: "eof",
  // import() would start the loader for ES modules, which costs more than the whole hook.
  supported: { "dynamic-import": false },
};
await build({
  ...memory,
  entryPoints: ["src/memory/entry.ts"],
  outfile: join(dist, "memory.cjs"),
  plugins: [
    {
      name: "apart",
      setup: (step) =>
        step.onResolve({ filter: /secret-rules\.ts$/ }, () => ({
          path: "./memory-secrets.cjs",
          external: true,
        })),
    },
  ],
});
await build({
  ...memory,
  entryPoints: ["src/memory/secret-rules.ts"],
  outfile: join(dist, "memory-secrets.cjs"),
  banner: {
    js: `/*!\n${licences(["@secretlint/core", "@secretlint/secretlint-rule-preset-recommend"])}*/`,
  },
});
await build({ ...shared, entryPoints: { authoring: "src/authoring.ts" }, outdir: dist });
rmSync(join(dist, "cold"), { recursive: true, force: true });
// Cold: npm packages stay outside, to be resolved from our own node_modules.
await build({
  ...shared,
  entryPoints: { cli: "src/cli/main.ts", index: "src/index.ts" },
  outdir: dist,
  splitting: true,
  packages: "external",
  chunkNames: "cold/[name]-[hash]",
});
const program = join(dist, "cli.js");
writeFileSync(program, `#!/usr/bin/env node\n${readFileSync(program, "utf8")}`);
chmodSync(join(dist, "cli.js"), 0o755);

// Only now that everything else has worked: a failed build leaves what was there.
for (const adapter of ADAPTERS) {
  mkdirSync(join(dist, "facts", adapter.id), { recursive: true });
  for (const event of [...Object.keys(adapter.surfaces), ...adapter.observes])
    writeFileSync(join(dist, "facts", adapter.id, event), factsFile(adapter, event));
}
mkdirSync(join(dist, "facts", BY_HAND_ID), { recursive: true });
for (const event of Object.keys(BY_HAND))
  writeFileSync(
    join(dist, "facts", BY_HAND_ID, event),
    factsFile(unknownHarness(BY_HAND_ID), event),
  );
writeFileSync(join(dist, "harnesses.sh"), harnessesFile(ADAPTERS, version));

if (!quick)
  execFileSync(
    process.execPath,
    [join(root, "node_modules/typescript/bin/tsc"), "-p", join(root, "tsconfig.types.json")],
    { stdio: "inherit" },
  );

/** What we bundle is somebody's work. */
function licences(names: readonly string[]): string {
  const texts = names.map((name) =>
    readFileSync(join(root, "node_modules", name, "LICENSE"), "utf8"),
  );
  return names.map((name, i) => `${name}\n\n${texts[i]!.trim()}\n`).join("\n");
}
