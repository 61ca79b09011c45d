import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { copied } from "../../src/prove/copied.ts";
import { makeStage, type Stage } from "../../src/prove/stage.ts";
import { makeProject, type Project } from "../_dispatch.ts";

const undo: (() => void)[] = [];
afterEach(() => undo.splice(0).forEach((one) => one()));

function staged(files: Record<string, string>, more: (project: Project) => void): Stage {
  const [project, stage] = [makeProject(files), makeStage()];
  undo.push(
    () => project.remove(),
    () => stage.clear(),
  );
  more(project);
  expect(copied({ root: project.root, env: project.env }, stage)).toEqual({ without: "" });
  return stage;
}

test("packages are there, and what tools keep beside them is not", () => {
  const files = {
    "node_modules/left/index.js": "left",
    "node_modules/.bin/left": "#!/bin/sh\n",
    "node_modules/.cache/tool/x": "theirs",
  };
  const { project } = staged(files, () => undefined);
  expect(readFileSync(join(project, "node_modules/left/index.js"), "utf8")).toBe("left");
  expect(existsSync(join(project, "node_modules/.bin/left"))).toBe(true);
  expect(existsSync(join(project, "node_modules/.cache"))).toBe(false);
});

test("a link inside stays one, and through one that leads out nothing can be written", () => {
  const { project, home } = staged({ "src/a.txt": "a", "home/x": "" }, (one) => {
    const outside = join(one.base, "theirs");
    mkdirSync(join(outside, "hooks"), { recursive: true });
    writeFileSync(join(outside, "hooks/one.sh"), "#!/bin/sh\n", { mode: 0o755 });
    mkdirSync(join(one.home, ".config"));
    symlinkSync(outside, join(one.home, ".config/anyhook"));
    symlinkSync("src", join(one.root, "inside"));
    symlinkSync(outside, join(one.root, "outside"));
    symlinkSync(join(outside, "hooks/one.sh"), join(one.root, "file.sh"));
    undo.unshift(() =>
      expect(readFileSync(join(outside, "hooks/one.sh"), "utf8")).toBe("#!/bin/sh\n"),
    );
  });
  writeFileSync(join(project, "inside/b.txt"), "b");
  expect(readFileSync(join(project, "src/b.txt"), "utf8")).toBe("b");
  expect(existsSync(join(project, "outside"))).toBe(false);
  for (const file of [join(project, "file.sh"), join(home, ".config/anyhook/hooks/one.sh")])
    writeFileSync(file, "changed");
});
