import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Report } from "../../src/prove/prove.ts";
import { anyhook, deafMachine, type Ended } from "./_machine.ts";

type Machine = ReturnType<typeof deafMachine>;

const PATIENCE = { timeout: 30_000, interval: 50 };
const QUICK = ["prove", "--event", "PreToolUse", "--json"];
const LONGEST = 120_000;

const isAlive = (pid: number): boolean =>
  existsSync(`/proc/${pid}`) && readFileSync(`/proc/${pid}/cmdline`, "utf8") !== "";

async function report(machine: Machine, words = QUICK): Promise<Report & { ended: Ended }> {
  machine.env["ANYHOOK_PROVE_LIMIT"] = "2";
  const ended = await anyhook(machine, words);
  expect(ended.stdout, ended.stderr).not.toBe("");
  return { ...(JSON.parse(ended.stdout) as Report), ended };
}

describe("a client that", { timeout: LONGEST }, () => {
  test("hangs is ended, once and for all, and that is said", async () => {
    const machine = deafMachine(
      `echo x >>"$PWD/../../../started"; echo 'no key found' >&2; sleep 300`,
    );
    const seen = await report(machine, ["prove", "--json"]);
    const why = "the client asked the model nothing and was ended after 2 s: no key found";
    expect(seen.clients[0]!.events.filter(({ state }) => state !== "unreachable")).toSatisfy(
      (all: Report["clients"][number]["events"]) =>
        all.length > 5 && all.every((one) => one.why === why),
    );
    expect(seen.clients[0]!.hooks).toMatchObject([{ why: `it never fired: ${why}` }]);
    expect(seen.clients[0]!.timing).toBeNull();
    expect(seen.ended.status).toBe(1);
    // Once with our probes and once with theirs.
    expect(readFileSync(join(machine.project.base, "started"), "utf8")).toBe("x\nx\n");
  });

  test("floods is read to the end of its time, and no further", async () => {
    const { clients, ended } = await report(deafMachine("yes 'a long line that says nothing'"));
    expect(ended.status).toBe(1);
    expect(clients[0]!.events[0]!.why).toContain("was ended after 2 s");
    expect(ended.stdout.length).toBeLessThan(20_000);
  });

  test("prints garbage is heard all the same, and nothing of it reaches the terminal raw", async () => {
    const machine = deafMachine(
      `printf '{not json\\n{"subtype":\\n\\377\\376\\0\\033]0;mine\\007\\033[31mred\\n'; exit 7`,
    );
    const { clients } = await report(machine);
    expect(clients[0]!.events[0]!.why).toContain("ended with 7");
    const { stdout } = await anyhook(machine, ["prove", "--event", "PreToolUse"]);
    expect(stdout).toContain("ended with 7");
    expect(stdout).not.toMatch(/[\0\u001b\u0007]/);
  });

  test("leaves somebody behind who holds its output is not waited for", async () => {
    const pid = (machine: Machine): string => join(machine.project.base, "pid");
    const machine = deafMachine("");
    writeFileSync(
      join(machine.project.base, "bin/claude"),
      `#!/bin/sh\n[ "$1" = --version ] && echo 9.9.9 && exit 0\nsetsid sleep 300 & echo $! >${pid(machine)}\nexit 0\n`,
    );
    const { clients } = await report(machine);
    expect(clients[0]!.events[0]!.why).toBe("the client asked the model nothing and ended with 0");
    await expect
      .poll(() => isAlive(Number(readFileSync(pid(machine), "utf8"))), PATIENCE)
      .toBe(false);
    expect(readdirSync(machine.tmp)).toEqual([]);
  });

  test("does not say its version, or a strange one, is not proven or bounded", async () => {
    const mute = deafMachine("exit 0");
    writeFileSync(join(mute.project.base, "bin/claude"), "#!/bin/sh\necho hello\n");
    expect((await report(mute)).clients).toMatchObject([
      { version: "", why: expect.stringContaining("does not say its version") as string },
    ]);
    const loud = deafMachine("exit 0");
    const version = `printf '9.9%0500d\\033[31m' 1`;
    writeFileSync(join(loud.project.base, "bin/claude"), `#!/bin/sh\n${version}\n`);
    const [client] = (await report(loud)).clients;
    expect(client!.version).toMatch(/^9\.90{30,40}$/);
  });

  test("gets no key of the person's, nor anything else of the environment", async () => {
    const machine = deafMachine(`env | sed 's/=.*//' | sort >"$PWD/../../../names"`);
    Object.assign(machine.env, { ANTHROPIC_API_KEY: "sk-ant-REDACTED", MINE: "1" });
    await report(machine);
    const names = readFileSync(join(machine.project.base, "names"), "utf8").split("\n");
    expect(names).toContain("ANTHROPIC_BASE_URL");
    expect(names).not.toContain("MINE");
    expect(names.filter((name) => /^(ANYHOOK|XDG)/.test(name))).toEqual([]);
  });
});

test("killed without a chance, what it started and made is gone too", async () => {
  const machine = deafMachine(
    `setsid sleep 301 & echo $! >"$PWD/../../../away"; echo $$ >"$PWD/../../../pid"; sleep 300`,
  );
  const file = (name: string): string => join(machine.project.base, name);
  const { status } = await anyhook(machine, QUICK, (pid) => {
    const timer = setInterval(() => {
      if (!existsSync(file("pid"))) return;
      clearInterval(timer);
      process.kill(pid, "SIGKILL");
    }, 50);
  });
  expect(status).toBeNull();
  const [client, away] = ["pid", "away"].map((name) => Number(readFileSync(file(name), "utf8")));
  await expect.poll(() => isAlive(client!), PATIENCE).toBe(false);
  await expect.poll(() => isAlive(away!), PATIENCE).toBe(false);
  await expect.poll(() => readdirSync(machine.tmp), PATIENCE).toEqual([]);
});

test("two at once do not see each other", { timeout: LONGEST }, async () => {
  const machine = deafMachine("exit 0");
  const both = await Promise.all([report(machine), report(machine)]);
  const [one, two] = both.map(({ ended: _, ...rest }) => ({
    ...rest,
    clients: rest.clients.map(({ timing: __, ...client }) => client),
  }));
  expect(one).toEqual(two);
  expect(readdirSync(machine.tmp)).toEqual([]);
});

describe("a project", { timeout: LONGEST }, () => {
  test("with pipes, sockets, loops and links that lead out is copied as far as it can be", async () => {
    const machine = deafMachine(
      `find . >"$PWD/../../../listed"; echo mine >>out/own.txt; echo mine >>.anyhook/out/own.txt`,
    );
    const { project } = machine;
    const at = (path: string): string => join(project.root, path);
    const outside = join(project.base, "theirs");
    mkdirSync(outside);
    writeFileSync(join(outside, "own.txt"), "own\n");
    writeFileSync(join(outside, "kept.sh"), "#!/bin/sh\n");
    mkdirSync(at(".anyhook/hooks"));
    for (const folder of ["", ".anyhook/"]) {
      execFileSync("mkfifo", [at(`${folder}pipe`)]);
      symlinkSync("..", at(`${folder}loop`));
      symlinkSync(outside, at(`${folder}out`));
      symlinkSync("nowhere", at(`${folder}dangling`));
    }
    symlinkSync(join(outside, "kept.sh"), at(".anyhook/hooks/kept.sh"));
    const server = createServer().listen(at(".anyhook/socket"));
    const seen = await report(machine);
    server.close();
    expect(seen).toMatchObject({ touched: [], without: "", clients: [{ version: "9.9.9" }] });
    expect(readFileSync(join(outside, "own.txt"), "utf8")).toBe("own\n");
    const listed = readFileSync(join(project.base, "listed"), "utf8").split("\n");
    expect(listed).toEqual(
      expect.arrayContaining(["./.anyhook/hooks/kept.sh", "./.anyhook/out/own.txt"]),
    );
    expect(listed.filter((path) => /pipe|socket|loop|dangling/.test(path))).toEqual([]);
    expect(readdirSync(machine.tmp)).toEqual([]);
  });

  test("of very many files is not copied, and that is said", async () => {
    const machine = deafMachine(`ls -A >"$PWD/../../../listed"`);
    const { root, base } = machine.project;
    mkdirSync(join(root, "many"));
    for (let n = 0; n < 5100; n++)
      writeFileSync(join(root, "many", `${"long".repeat(40)}${n}`), "");
    execFileSync("git", ["init", "-q"], { cwd: root });
    const words = ["prove", "--hook", "watch", "--json"];
    expect(await report(machine, words)).toMatchObject({
      without: "the project has 5101 files",
    });
    expect(readFileSync(join(base, "listed"), "utf8")).toBe(".anyhook\n");
    const { stdout } = await anyhook(machine, ["prove", "--hook", "watch"]);
    expect(stdout).toContain(
      "only its hooks were on the stage, because the project has 5101 files",
    );
    rmSync(join(root, "many"), { recursive: true });
    expect(await report(machine, words)).toMatchObject({ without: "" });
  });

  test("is looked at by git without the program that its settings name", async () => {
    const machine = deafMachine("exit 0");
    const { root, base } = machine.project;
    execFileSync("git", ["init", "-q"], { cwd: root });
    machine.project.write({ spy: `#!/bin/sh\ntouch ${base}/spied\nexit 1\n` });
    execFileSync("git", ["config", "core.fsmonitor", join(root, "spy")], { cwd: root });
    execFileSync("git", ["status", "--short"], { cwd: root });
    expect(existsSync(join(base, "spied"))).toBe(true);
    rmSync(join(base, "spied"));
    await report(machine);
    expect(existsSync(join(base, "spied"))).toBe(false);
  });
});

describe("what is asked for", { timeout: LONGEST }, () => {
  test("has the same members in JSON, whatever it was", async () => {
    const machine = deafMachine("exit 0");
    const keys = async (...words: string[]): Promise<string[][]> => {
      const { clients, ended: _, ...rest } = await report(machine, ["prove", "--json", ...words]);
      return [Object.keys(rest), ...clients.map((one) => Object.keys(one).toSorted())];
    };
    const whole = await keys("--event", "PreToolUse");
    expect(whole).toHaveLength(2);
    expect(await keys("--hook", "watch")).toEqual(whole);
    expect(await keys("--harness", "cursor")).toEqual(whole);
  });

  test("is looked at before anything is started", async () => {
    const machine = deafMachine(`echo started >"$PWD/../../../started"`);
    const says = async (...words: string[]): Promise<string> => {
      const { stderr, stdout, status } = await anyhook(machine, ["prove", ...words, "--json"]);
      expect(JSON.parse(stdout)).toHaveProperty("error.message");
      return `${status} ${stderr.replaceAll("\n", " ").trim()}`;
    };
    expect(await says("--hook", "wach")).toBe(
      '1 anyhook: there is no hook "wach" here   did you mean watch?',
    );
    expect(await says("--hook", "watch", "--event", "Stop")).toBe(
      '1 anyhook: "watch" is not at Stop   it is at PreToolUse',
    );
    expect(existsSync(join(machine.project.base, "started"))).toBe(false);
  });

  test("cannot be had where there is no client, and it is said what to do", async () => {
    const machine = deafMachine("exit 0");
    rmSync(join(machine.project.base, "bin/claude"));
    rmSync(join(machine.project.home, ".claude"), { recursive: true });
    const { status, stderr } = await anyhook(machine, ["prove"]);
    expect(status).toBe(1);
    expect(stderr).toContain("no harness was found on this machine");
    expect(stderr).toContain("anyhook demo needs none");
  });

  test("can be had where nothing at home can be written", async () => {
    const machine = deafMachine("exit 0");
    const all = (): string =>
      createHash("sha256")
        .update(execFileSync("ls", ["-lRA", "--time-style=full-iso", machine.project.home]))
        .digest("hex");
    const before = all();
    await report(machine);
    expect(all()).toBe(before);
  });
});
