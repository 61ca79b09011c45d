import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callTool } from "../../src/handlers/_tools.ts";

let base = "";
let root = "";

const put = (path: string, text: string | Buffer): void => {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  writeFileSync(join(base, path), text);
};

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "anyhook-tools-")));
  root = join(base, "shop");
  put("shop/src/a.ts", "one\ntwo needle\nthree\n");
  put("shop/src/b.ts", "Needle\n");
  put("shop/long.txt", Array.from({ length: 1000 }, (_, at) => `line ${at + 1}`).join("\n"));
  put("shop/wide.txt", "w".repeat(100_000));
  put("shop/huge.txt", "h\n".repeat(600_000));
  put("shop/bin.dat", Buffer.from([1, 0, 2, 3]));
  put("shop/node_modules/m/index.js", "needle\n");
  put("secret.txt", "needle in the secret\n");
  put("shop-too/file.txt", "needle next door\n");
  symlinkSync(join(base, "secret.txt"), join(root, "link.txt"));
  symlinkSync(base, join(root, "up"));
  symlinkSync("src/a.ts", join(root, "inner.txt"));
  symlinkSync("loop", join(root, "loop"));
  execFileSync("mkfifo", [join(root, "pipe")]);
});

afterAll(() => rmSync(base, { recursive: true, force: true }));

const call = async (name: string, input: unknown) => {
  const bounds = { root, until: performance.now() + 5000 };
  const { text, failed, line } = await callTool({ id: "1", name, input }, bounds);
  return { text: text.replaceAll(base, "{base}"), failed, line: line.replaceAll(base, "{base}") };
};

describe("read_file", () => {
  test("numbers its lines, from where one wants", async () => {
    expect(await call("read_file", { path: "src/a.ts" })).toEqual({
      text: "1\tone\n2\ttwo needle\n3\tthree\n4\t",
      failed: false,
      line: 'read_file {"path":"src/a.ts"}: 4 lines',
    });
    const { text } = await call("read_file", { path: "long.txt", from: 990 });
    expect(text.split("\n").at(0)).toBe("990\tline 990");
    expect(text.split("\n").length).toBe(11);
  });

  test("is bounded", async () => {
    expect((await call("read_file", { path: "long.txt" })).text).toMatch(
      /\n400\tline 400\n\[600 more lines\]$/,
    );
    expect((await call("read_file", { path: "wide.txt" })).text.length).toBe(402);
    const huge = (await call("read_file", { path: "huge.txt" })).text;
    expect(huge).toContain("[only the first 524288 of 1200000 bytes]");
    expect(huge.length).toBeLessThan(5000);
    expect((await call("read_file", { path: "bin.dat" })).text).toBe("binary file, 4 bytes");
  });

  test("a link inside of the project is followed", async () => {
    expect((await call("read_file", { path: "inner.txt" })).text).toContain("two needle");
  });

  test.each([
    ["../secret.txt", "outside of the project"],
    ["src/../../secret.txt", "outside of the project"],
    ["/etc/passwd", "outside of the project"],
    ["/proc/self/environ", "outside of the project"],
    ["../shop-too/file.txt", "outside of the project"],
    ["link.txt", "outside of the project"],
    ["up/secret.txt", "outside of the project"],
    ["up/shop/../secret.txt", "outside of the project"],
    [".git/config", "git's own files are not shown; use git_diff"],
    ["up/shop/.git/config", "git's own files are not shown; use git_diff"],
    [".GIT/config", "git's own files are not shown; use git_diff"],
    ["pipe", "not a regular file"],
    ["src", "not a regular file"],
    ["loop", "no such file"],
    ["gone", "no such file"],
    ["src/a.ts\0.png", "path: a text"],
    [7, "path: a text"],
    [undefined, "path: a text"],
  ])("refuses %s", async (path, why) => {
    expect(await call("read_file", { path })).toMatchObject({ text: why, failed: true });
  });
});

test("without a project, where the root is the root of all, the system's own files stay closed", async () => {
  const bounds = { root: "/", until: performance.now() + 5000 };
  const read = async (path: string): Promise<string> =>
    (await callTool({ id: "1", name: "read_file", input: { path } }, bounds)).text;
  expect(await read("/proc/self/environ")).toBe("outside of the project");
  expect(await read("dev/zero")).toBe("outside of the project");
  expect(await read(join(root, "src/b.ts"))).toBe("1\tNeedle\n2\t");
});

describe("list_files", () => {
  test("one folder, or all that is below; links are shown and not followed", async () => {
    expect((await call("list_files", {})).text.split("\n")).toEqual([
      ...["bin.dat", "huge.txt", "inner.txt@", "link.txt@", "long.txt", "loop@"],
      ...["node_modules/", "pipe", "src/", "up@", "wide.txt"],
    ]);
    const deep = (await call("list_files", { path: "src", recursive: true })).text;
    expect(deep).toBe("src/a.ts\nsrc/b.ts");
    expect((await call("list_files", { path: ".." })).text).toBe("outside of the project");
    expect((await call("list_files", { path: "up" })).text).toBe("outside of the project");
  });

  test("is bounded", async () => {
    for (let at = 0; at < 600; at++) put(`shop/many/f${at}`, "");
    const { text } = await call("list_files", { path: "many" });
    rmSync(join(root, "many"), { recursive: true });
    expect(text.split("\n").length).toBe(501);
    expect(text).toMatch(/\[more than 500: name a folder\]$/);
  });
});

/** Puts a link in the place of a folder and back, all the time, in a process of its own. */
function swapping(folder: string, target: string): ChildProcess {
  const code = `
    const fs = require("node:fs"), [d, target] = process.argv.slice(1);
    const keep = d + "-keep", link = d + "-link";
    fs.symlinkSync(target, link);
    process.stdout.write("on");
    for (const end = Date.now() + 5000; Date.now() < end; ) {
      fs.renameSync(d, keep); fs.renameSync(link, d);
      fs.renameSync(d, link); fs.renameSync(keep, d);
    }`;
  return spawn(process.execPath, ["-e", code, folder, target], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}

// Elsewhere than on Linux nobody tells where an open file is, and the race can be lost.
test.runIf(existsSync("/proc/self/fd"))("a folder that becomes a link in between", async () => {
  put("race/w/d/name0", "fine\n");
  put("race/out/name0", "OUTSIDE\n");
  put("race/out/name1", "OUTSIDE\n");
  const swapper = swapping(join(base, "race/w/d"), join(base, "race/out"));
  await once(swapper.stdout!, "data");
  const [soon, late] = [performance.now() + 1500, performance.now() + 30_000];
  const bounds = { root: join(base, "race/w"), until: late };
  const said: string[] = [];
  const hasSeen = (part: string): boolean => said.some((text) => text.includes(part));
  const isOver = (): boolean =>
    performance.now() > (hasSeen("fine") && hasSeen("d/name0") ? soon : late);
  const look = async (name: string, input: object): Promise<void> => {
    said.push((await callTool({ id: "1", name, input }, bounds)).text);
  };
  while (!isOver()) {
    await look("read_file", { path: "d/name0" });
    await look("list_files", { path: ".", recursive: true });
    await look("grep", { text: "OUTSIDE" });
  }
  swapper.kill();
  await once(swapper, "exit");
  expect([hasSeen("fine"), hasSeen("d/name0")]).toEqual([true, true]);
  expect(said.filter((text) => /OUTSIDE|name1/.test(text))).toEqual([]);
});

describe("grep", () => {
  test("finds a text in the project and nowhere else", async () => {
    expect((await call("grep", { text: "needle" })).text).toBe("src/a.ts:2: two needle");
    expect(
      (await call("grep", { text: "needle", ignore_case: true })).text.split("\n").toSorted(),
    ).toEqual(["src/a.ts:2: two needle", "src/b.ts:1: Needle"]);
    expect((await call("grep", { text: "needle", path: "src/a.ts" })).text).toBe(
      "src/a.ts:2: two needle",
    );
    expect((await call("grep", { text: "needle", path: "up" })).text).toBe(
      "outside of the project",
    );
    expect((await call("grep", { text: "n.*dle" })).text).toBe("nothing found");
  });

  test("lets others have their turn meanwhile", async () => {
    for (let at = 0; at < 200; at++) put(`many/f${at}.txt`, "hay\n".repeat(1000));
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    const bounds = { root: join(base, "many"), until: performance.now() + 30_000 };
    const said = await callTool({ id: "1", name: "grep", input: { text: "needle" } }, bounds);
    clearInterval(timer);
    expect(said).toMatchObject({ text: "nothing found", failed: false });
    expect(turns).toBeGreaterThan(2);
  });

  test("what would choke a backtracking engine is a text like any other", async () => {
    put("shop/as.txt", `${"a".repeat(200_000)}\n`);
    expect((await call("grep", { text: "(a+)+$", path: "as.txt" })).text).toBe("nothing found");
    expect((await call("grep", { text: `${"a".repeat(499)}b`, path: "as.txt" })).text).toBe(
      "nothing found",
    );
    expect((await call("grep", { text: "" })).failed).toBe(true);
    expect((await call("grep", { text: "h", path: "huge.txt" })).text.split("\n").length).toBe(101);
    rmSync(join(root, "as.txt"));
  });
});

describe("git_diff", () => {
  const git = (...words: string[]): void => {
    const who = ["-c", "user.name=x", "-c", "user.email=x@x"];
    execFileSync("git", ["-C", root, ...who, ...words], { stdio: "ignore" });
  };
  const trap = (): string => {
    const file = join(base, "trap.sh");
    writeFileSync(file, `#!/bin/sh\necho sprung >>'${base}/sprung'\ncat\n`);
    chmodSync(file, 0o755);
    return file;
  };

  test("shows what changed, and runs nothing that the repository configures", async () => {
    put("shop/.gitattributes", "*.ts filter=evil diff=evil\n");
    git("init", "-q", "-b", "main");
    git("add", "src", ".gitattributes");
    git("commit", "-qm", "first");
    const program = trap();
    const config: [string, string][] = [
      ["filter.evil.clean", program],
      ["filter.evil.process", program],
      ["diff.evil.textconv", program],
      ["diff.evil.command", program],
      ["diff.external", program],
      ["core.fsmonitor", program],
      ["core.pager", program],
      ["core.hooksPath", base],
    ];
    for (const [key, value] of config) git("config", key, value);
    put("shop/src/a.ts", "one\ntwo changed\nthree\n");
    const before = existsSync(join(base, "sprung"));
    const { text, failed } = await call("git_diff", {});
    expect({ failed, before }).toEqual({ failed: false, before: false });
    expect(text).toContain("+two changed");
    expect(text).not.toContain("sprung");
    expect(existsSync(join(base, "sprung"))).toBe(false);
    expect((await call("git_diff", { base: "HEAD", path: "src/a.ts" })).text).toContain(
      "+two changed",
    );
    expect((await call("git_diff", { staged: true })).text).toBe("no difference");
    // The trap works: git itself falls into it.
    execFileSync("git", ["-C", root, "--no-pager", "diff"], { stdio: "ignore" });
    expect(existsSync(join(base, "sprung"))).toBe(true);
  });

  test("a filter behind a thousand others, in a file that is included, is not overlooked", async () => {
    const program = trap();
    rmSync(join(base, "sprung"), { force: true });
    const name = (at: number): string => `${"x".repeat(1200)}${at}`;
    const many = Array.from({ length: 1000 }, (_, at) => `[filter "${name(at)}"]\n\tclean = cat\n`);
    put("shop/more", `${many.join("")}[filter "evil"]\n\tclean = ${program}\n`);
    const own = readFileSync(join(root, ".git/config"), "utf8");
    const without = own.replace(/\[filter "evil"\]\n(?:\t.*\n)*/, "");
    put("shop/.git/config", `${without}[include]\n\tpath = ../more\n`);
    put("shop/src/a.ts", "one\ntwo changed\nthree\n");
    expect(await call("git_diff", {})).toMatchObject({ failed: true });
    expect(existsSync(join(base, "sprung"))).toBe(false);
    // One of them is silenced like any other.
    put("shop/more", `[filter "evil"]\n\tclean = ${program}\n`);
    expect((await call("git_diff", {})).text).toContain("+two changed");
    expect(existsSync(join(base, "sprung"))).toBe(false);
    execFileSync("git", ["-C", root, "--no-pager", "diff", "--no-ext-diff"], { stdio: "ignore" });
    expect(existsSync(join(base, "sprung"))).toBe(true);
    put("shop/.git/config", own);
    rmSync(join(root, "more"));
  });

  test("what is missing is not fetched, whatever protocol the repository allows", async () => {
    const program = join(base, "helper.sh");
    writeFileSync(program, `#!/bin/sh\necho sprung >>'${base}/sprung'\n`, { mode: 0o755 });
    const repo = join(base, "partial");
    const at = (...words: string[]): string =>
      execFileSync("git", ["-C", repo, "-c", "user.name=x", "-c", "user.email=x@x", ...words], {
        ...{ encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], timeout: 20_000 },
      });
    put("partial/a.txt", "one\n");
    at("init", "-q");
    at("add", "a.txt");
    at("commit", "-qm", "first");
    const blob = at("rev-parse", "HEAD:a.txt").trim();
    rmSync(join(repo, ".git/objects", blob.slice(0, 2), blob.slice(2)));
    for (const [key, value] of [
      ["core.repositoryformatversion", "1"],
      ["extensions.partialClone", "origin"],
      ["remote.origin.promisor", "true"],
      ["remote.origin.url", `ext::${program}`],
      ["protocol.ext.allow", "always"],
    ] as const)
      at("config", key, value);
    put("partial/a.txt", "two\n");
    rmSync(join(base, "sprung"), { force: true });
    const bounds = { root: repo, until: performance.now() + 20_000 };
    const input = { base: "HEAD" };
    expect(await callTool({ id: "1", name: "git_diff", input }, bounds)).toMatchObject({
      failed: true,
    });
    expect(existsSync(join(base, "sprung"))).toBe(false);
    expect(() => at("diff", "HEAD")).toThrow("Command failed");
    expect(existsSync(join(base, "sprung"))).toBe(true);
  });

  test("a git that the project brings along is not run", async () => {
    const bin = join(root, "node_modules/.bin");
    mkdirSync(bin, { recursive: true });
    rmSync(join(base, "sprung"), { force: true });
    copyFileSync(trap(), join(bin, "git"));
    chmodSync(join(bin, "git"), 0o755);
    const before = process.env["PATH"];
    process.env["PATH"] = `${bin}:node_modules/.bin:${before}`;
    try {
      expect((await call("git_diff", {})).text).toContain("+two changed");
      expect(existsSync(join(base, "sprung"))).toBe(false);
      execFileSync("git", ["diff"], { cwd: root, stdio: "ignore" });
      expect(existsSync(join(base, "sprung"))).toBe(true);
    } finally {
      process.env["PATH"] = before;
      rmSync(bin, { recursive: true });
    }
  });

  test.each([
    [{ base: "--output=/tmp/x" }, "base: the name of a commit or branch"],
    [{ base: "HEAD..main" }, "base: the name of a commit or branch"],
    [{ base: "HEAD --ext-diff" }, "base: the name of a commit or branch"],
    [{ path: "../secret.txt" }, "outside of the project"],
    [{ path: "/etc/passwd" }, "outside of the project"],
  ])("refuses %j", async (input, why) => {
    expect(await call("git_diff", input)).toMatchObject({ text: why, failed: true });
  });
});

describe("git_diff reads no other folder and no other repository", () => {
  const ELSEWHERE = "git: the repository of this project is kept, or has its files, elsewhere";
  const git = (at: string, ...words: string[]): void => {
    const own = ["-c", "user.name=x", "-c", "user.email=x@x", "-c", "protocol.file.allow=always"];
    execFileSync("git", ["-C", join(base, at), ...own, ...words], { stdio: "ignore" });
  };
  const repository = (at: string, text: string): void => {
    put(`${at}/in/file.txt`, text);
    git(at, "init", "-q", "-b", "main");
    git(at, "add", ".");
    git(at, "commit", "-qm", "first");
  };
  const diff = async (at: string, input = {}): Promise<string> => {
    const bounds = { root: join(base, at), until: performance.now() + 5000 };
    return (await callTool({ id: "1", name: "git_diff", input }, bounds)).text;
  };

  test("a work tree that the configuration names", async () => {
    repository("g1", "mine\n");
    put("g1/in/file.txt", "changed\n");
    expect(await diff("g1")).toContain("+changed");
    put("out1/in/file.txt", "SECRET\n");
    git("g1", "config", "core.worktree", join(base, "out1"));
    expect(await diff("g1")).toBe(ELSEWHERE);
    expect(await diff("g1", { base: "HEAD" })).toBe(ELSEWHERE);
    git("g1", "config", "core.worktree", base);
    expect(await diff("g1")).toBe(ELSEWHERE);
  });

  test("a .git that is a file or a link to somebody else's", async () => {
    repository("private", "SECRET\n");
    const own = join(base, "private/.git");
    put("g2/.git", `gitdir: ${own}\n`);
    expect(await diff("g2")).toBe(ELSEWHERE);
    put("g3/x", "");
    symlinkSync(own, join(base, "g3/.git"));
    expect(await diff("g3")).toBe(ELSEWHERE);
    put("g4/g/HEAD", "ref: refs/heads/main\n");
    put("g4/g/commondir", `${own}\n`);
    put("g4/g/gitdir", `${join(base, "g4/.git")}\n`);
    put("g4/.git", "gitdir: g\n");
    expect(await diff("g4", { base: "HEAD" })).toBe(ELSEWHERE);
    // The traps work: git itself shows it.
    for (const at of ["g2", "g3", "g4"])
      expect(
        execFileSync("git", ["-C", join(base, at), "diff", "HEAD"], { encoding: "utf8" }),
      ).toContain("-SECRET");
  });

  test("a repository with objects of another one", async () => {
    const other = join(base, "g-other");
    put("g-other/private.txt", "a private line\n");
    git("g-other", "init", "-q");
    git("g-other", "add", ".");
    git("g-other", "commit", "-qm", "theirs");
    const at = (...words: string[]): string =>
      execFileSync("git", ["-C", other, ...words], { encoding: "utf8" }).trim();
    const [commit, tree, blob] = ["HEAD", "HEAD^{tree}", "HEAD:private.txt"].map((name) =>
      at("rev-parse", name),
    ) as [string, string, string];
    const object = (hash: string): string => join(hash.slice(0, 2), hash.slice(2));
    const BORROWS: Readonly<Record<string, (objects: string) => void>> = {
      "g-alternates": (objects) =>
        writeFileSync(join(objects, "info/alternates"), `${join(other, ".git/objects")}\n`),
      "g-folder": (objects) => {
        rmSync(objects, { recursive: true });
        symlinkSync(join(other, ".git/objects"), objects);
      },
      "g-files": (objects) => {
        for (const hash of [commit, tree, blob]) {
          mkdirSync(dirname(join(objects, object(hash))), { recursive: true });
          symlinkSync(join(other, ".git/objects", object(hash)), join(objects, object(hash)));
        }
      },
    };
    for (const [name, borrow] of Object.entries(BORROWS)) {
      mkdirSync(join(base, name));
      git(name, "init", "-q");
      borrow(join(base, name, ".git/objects"));
      const bounds = { root: join(base, name), until: performance.now() + 30_000 };
      const input = { base: commit };
      const { text } = await callTool({ id: "1", name: "git_diff", input }, bounds);
      expect(text, name).toBe("git: the repository has objects from elsewhere");
      // Git itself shows it.
      const shown = execFileSync("git", ["-C", join(base, name), "diff", commit], {
        encoding: "utf8",
      });
      expect(shown, name).toContain("-a private line");
    }
  });

  test("a folder of a repository, a linked work tree and a submodule are fine", async () => {
    repository("g5", "mine\n");
    git("g5", "worktree", "add", "-q", join(base, "linked"), "-b", "other");
    put("linked/in/file.txt", "changed there\n");
    expect(await diff("linked")).toContain("+changed there");
    put("g5/in/file.txt", "changed here\n");
    expect(await diff("g5/in")).toContain("+changed here");
    repository("g6", "outer\n");
    git("g6", "submodule", "--quiet", "add", join(base, "g5"), "sub");
    put("g6/sub/in/file.txt", "changed below\n");
    expect(await diff("g6/sub")).toContain("+changed below");
  });
});

test("an unknown tool, and one that is given nonsense", async () => {
  expect(await call("write_file", { path: "x" })).toMatchObject({
    text: "there is no such tool",
    failed: true,
  });
  expect(await call("read_file", "src/a.ts")).toMatchObject({ failed: true });
  expect(await call("constructor", {})).toMatchObject({ text: "there is no such tool" });
});
