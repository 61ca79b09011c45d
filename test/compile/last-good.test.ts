import { expect, test } from "vitest";
import { brief, project } from "./_project.ts";

const good = (name: string): string => `  - { name: ${name}, events: Stop, command: ${name} }\n`;

test("a hook that is bad now goes on as it was, and is reported", async () => {
  const it = project({ ".anyhook/hooks.yaml": `hooks:\n${good("a")}${good("b")}` });
  const before = await it.compile();
  it.write({
    ".anyhook/hooks.yaml": `hooks:\n  - { name: a, events: Stp, command: new }\n${good("b")}`,
  });
  const after = await it.compile({ previous: before.hooks });
  expect(after.hooks).toEqual(before.hooks);
  expect(after.kept).toEqual(["a"]);
  expect(brief(after.diagnostics, it)).toEqual([".anyhook/hooks.yaml:2 error unknown-event a"]);
  const alone = await it.compile();
  expect(alone.hooks.map(({ name }) => name)).toEqual(["b"]);
});

test("a file that cannot be read any more keeps all it said", async () => {
  const it = project({
    ".anyhook/hooks.yaml": `hooks:\n${good("a")}${good("b")}`,
    "user/hooks.yaml": `hooks:\n${good("a")}`,
  });
  const before = await it.compile();
  it.write({ ".anyhook/hooks.yaml": "hooks:\n  - { name: a, ev" });
  const after = await it.compile({ previous: before.hooks });
  expect(after.hooks).toEqual(before.hooks);
  expect(after.kept).toEqual(["a", "b"]);
  // Without an earlier version there is only the weaker layer.
  expect((await it.compile()).hooks.map(({ layer, name }) => `${layer} ${name}`)).toEqual([
    "user a",
  ]);
});

test("a module that cannot be bundled any more runs its old bundle", async () => {
  const it = project({
    ".anyhook/hooks/m.ts": 'export default { name: "m", event: "Stop", run() {} };\n',
    ".anyhook/hooks.yaml": "hooks:\n  - { name: listed, module: lib/l.ts }\n",
    ".anyhook/lib/l.ts": 'export default { name: "l", event: "Stop", order: 3, run() {} };\n',
  });
  const before = await it.compile();
  expect(before.hooks.map(({ name, order }) => `${name} ${order}`)).toEqual(["m 0", "listed 3"]);
  it.write({ ".anyhook/hooks/m.ts": "export default {", ".anyhook/lib/l.ts": "export default {" });
  const after = await it.compile({ previous: before.hooks });
  expect(after.hooks).toEqual(before.hooks);
  expect(after.kept).toEqual(["listed", "m"]);
});

test("a listed module that never could be loaded is in the manifest, broken", async () => {
  const it = project({
    ".anyhook/hooks.yaml":
      "hooks:\n  - { name: listed, module: lib/l.ts, events: Stop, on_failure: block }\n",
    ".anyhook/lib/l.ts": "export default {",
  });
  const { hooks } = await it.compile();
  expect(hooks).toHaveLength(1);
  expect(hooks[0]).toMatchObject({ name: "listed", kind: "module", onFailure: "block" });
  expect(hooks[0]!.broken).not.toBe("");
});

test("a hook that was taken away is not kept", async () => {
  const it = project({ ".anyhook/hooks.yaml": `hooks:\n${good("a")}${good("b")}` });
  const before = await it.compile();
  it.write({ ".anyhook/hooks.yaml": `hooks:\n${good("b")}` });
  const after = await it.compile({ previous: before.hooks });
  expect(after.hooks.map(({ name }) => name)).toEqual(["b"]);
  expect(after.kept).toEqual([]);
});

test("what cannot be read now keeps its place among what can", async () => {
  const module = (name: string): string =>
    `export default { name: "${name}", events: ${name === "c" ? '["SessionStart", "Stop"]' : '["Stop"]'}, run() {} };\n`;
  const it = project({
    ...Object.fromEntries(["a", "b", "c", "d"].map((n) => [`.anyhook/hooks/${n}.mjs`, module(n)])),
    ".anyhook/hooks.yaml": `hooks:\n${good("x")}${good("y")}`,
  });
  const before = await it.compile();
  const names = ["c", "x", "a", "b", "c", "d", "y"];
  expect(before.hooks.map(({ name }) => name)).toEqual(names);
  it.write({
    ".anyhook/hooks.yaml": "hooks:\n  - { name: x, ev",
    ".anyhook/hooks/b.mjs": "export default {",
    ".anyhook/hooks/c.mjs": "export default {",
  });
  const after = await it.compile({ previous: before.hooks });
  expect(after.hooks).toEqual(before.hooks);
  expect(after.kept).toEqual(["b", "c", "x", "y"]);
  // And once more, when what went before was kept itself, and a neighbour has gone.
  it.remove(".anyhook/hooks/a.mjs");
  const again = await it.compile({ previous: after.hooks });
  expect(again.hooks.map(({ name }) => name)).toEqual(names.filter((name) => name !== "a"));
});
