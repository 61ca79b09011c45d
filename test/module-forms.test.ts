import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { dispatch, makeProject, NODE_LANE, payloadOf } from "./_dispatch.ts";

/** What a module may be written like → the form that the dispatcher loads. */
const FORMS: Readonly<Record<string, readonly [form: "cjs" | "mjs", code: string]>> = {
  plain: ["cjs", 'export default { NAME, run: () => "said" };'],
  named: ["cjs", 'const hook = { NAME, run() { return "said"; } };\nexport { hook as default };'],
  typed: ["cjs", 'const said: string = "said";\nexport default { NAME, run: () => said };'],
  builtin: [
    "cjs",
    'import { posix } from "node:path";\nimport fs, { existsSync } from "node:fs";\nexport default { NAME, run: () => existsSync("/") && fs.existsSync("/") && posix.join("sa", "..", "said") };',
  ],
  // A module is strict, also where it is no module any more.
  strict: [
    "cjs",
    'const self = (function () { return this; })();\nexport default { NAME, run: () => (self === undefined ? "said" : "sloppy") };',
  ],
  outer: ["cjs", 'const outer = this;\nexport default { NAME, run: () => outer ?? "said" };'],
  later: [
    "cjs",
    'export default { NAME, async run() { return (await import("node:path")).basename("a/said"); } };',
  ],
  required: [
    "cjs",
    'import { said } from "old-package";\nexport default { NAME, run: () => said };',
  ],
  waits: ["mjs", 'const said = await "said";\nexport default { NAME, run: () => said };'],
  placed: [
    "mjs",
    'const here = import.meta.url.startsWith("file:///");\nexport default { NAME, run: () => (here ? "said" : "lost") };',
  ],
};

const project = makeProject(
  Object.fromEntries(
    Object.entries(FORMS).map(([name, [, code]], i) => [
      `.anyhook/hooks/${name}.ts`,
      `${code.replaceAll("NAME", `name: "${name}", event: "PreToolUse", order: ${i}`)}\n`,
    ]),
  ),
);
afterAll(() => project.remove());

test("every form of a module says the same; only what no other form can say is loaded as a module", () => {
  project.write({
    "node_modules/old-package/package.json": '{ "name": "old-package", "main": "index.js" }',
    "node_modules/old-package/index.js":
      'exports.said = require("node:path").basename("b/" + (typeof module === "object" ? "said" : ""));',
  });
  const made = project.cli("materialize");
  expect(made.status, made.stderr).toBe(0);
  const payload = payloadOf("claude-code", "PreToolUse--Bash", project);
  const { stdout } = dispatch(project, NODE_LANE, "claude-code", "PreToolUse", payload);
  const { hookSpecificOutput } = JSON.parse(stdout) as {
    hookSpecificOutput: { additionalContext: string };
  };
  const names = Object.keys(FORMS);
  expect(hookSpecificOutput.additionalContext).toBe(
    names.map((n) => `<anyhook-context hook="${n}">\nsaid\n</anyhook-context>`).join("\n"),
  );
  const forms = readdirSync(join(project.layout.slot, "bundles")).map((n) => n.split(".").at(-1));
  expect(forms.toSorted()).toEqual(
    Object.values(FORMS)
      .map(([form]) => form)
      .toSorted(),
  );
});
