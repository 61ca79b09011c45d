// npm test: everything that is needed on a fresh clone, then vitest. Arguments go to vitest.
// --all (npm run test:all), or a file that is named: also what takes its time; see vitest.config.ts.
import { join } from "node:path";
import { ensureInstalled, ensureNode, isOnPath, root, run, say } from "./setup.mjs";

// The dispatcher must behave the same in every one of these shells and awks; the tests themselves
// need the last two. Program → Debian package.
const PROGRAMS = {
  dash: "dash",
  busybox: "busybox",
  mawk: "mawk",
  gawk: "gawk",
  "original-awk": "original-awk",
  git: "git",
  pgrep: "procps",
};

ensureNode();
ensureInstalled();
ensurePrograms();
const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
const args = process.argv.slice(2).filter((word) => word !== "--all");
const isAll = process.argv.includes("--all") || args.some((word) => word.startsWith("test/"));
const env = isAll ? { ...process.env, ANYHOOK_TESTS: "all" } : process.env;
process.exitCode = run(process.execPath, [vitest, "run", ...args], { env });

function ensurePrograms() {
  const missing = () => Object.keys(PROGRAMS).filter((program) => !isOnPath(program));
  if (missing().length > 0 && process.getuid?.() === 0 && isOnPath("apt-get")) {
    const packages = missing().map((program) => PROGRAMS[program]);
    say(`installing ${packages.join(" ")} (apt-get)`);
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    const install = ["install", "-y", "-q", "--no-install-recommends", ...packages];
    if (run("apt-get", install, { env }) !== 0) {
      run("apt-get", ["update", "-q"], { env });
      run("apt-get", install, { env });
    }
  }
  for (const program of missing()) say(`NOT TESTED with ${program}: it is not installed`);
}
