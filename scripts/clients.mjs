// npm run test:clients: real agents, driven through real sessions against a model on loopback. No
// account is needed. The pinned clients of test/clients/clients.json are installed once, outside
// the tree. Arguments go to vitest.
//   ANYHOOK_CLIENTS            where the clients are kept; ~/.cache/anyhook-clients by default
//   ANYHOOK_CLIENTS_OPTIONAL=1 a client that cannot be installed is no failure (and no pass)
//   ANYHOOK_WRITE_COMPAT=1     write docs/compatibility.md from this run
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { ensureSdks } from "./sdks.mjs";
import { ensureBuilt, ensureInstalled, ensureNode, root, run, say } from "./setup.mjs";

const { ANYHOOK_CLIENTS, ANYHOOK_CLIENTS_OPTIONAL, XDG_CACHE_HOME } = process.env;
const cache =
  ANYHOOK_CLIENTS || join(XDG_CACHE_HOME || join(homedir(), ".cache"), "anyhook-clients");
const clients = JSON.parse(readFileSync(join(root, "test", "clients", "clients.json"), "utf8"));

ensureNode();
ensureInstalled();
ensureBuilt();
const programs = Object.fromEntries(
  clients.map((client) => [client.harness, ensureClient(client)]),
);
const sdks = ensureSdks(cache);
const code = run(
  process.execPath,
  [
    join(root, "node_modules", "vitest", "vitest.mjs"),
    "run",
    "--config",
    "vitest.clients.config.ts",
    ...process.argv.slice(2),
  ],
  {
    env: {
      ...process.env,
      ANYHOOK_CLIENT_PROGRAMS: JSON.stringify(programs),
      ANYHOOK_CLIENT_SDKS: JSON.stringify(sdks),
    },
  },
);
const missing = clients.filter(({ harness }) => programs[harness].length === 0);
for (const client of missing)
  say(`NOT RUN: ${client.package}@${client.version} could not be installed in ${cache}`);
const absent = Object.keys(sdks).filter((name) => sdks[name] === "");
for (const name of absent) say(`NOT RUN: ${name} could not be installed in ${cache}`);
const lacking = missing.length + absent.length;
process.exitCode = code || (lacking > 0 && ANYHOOK_CLIENTS_OPTIONAL !== "1" ? 1 : 0);

/** The words that start the client, installed if necessary; none if that did not work. */
function ensureClient(client) {
  const program = ensurePackage(client.harness, client);
  if (program === "") return [];
  if (client.node === undefined) return [program];
  const node = client.node === "ours" ? process.execPath : ensureNodeOf(client.node);
  return node === "" ? [] : [node, program];
}

/** Some clients want a newer Node than ours; the package that holds the binary is enough. */
function ensureNodeOf(version) {
  const name = `node-${process.platform}-${process.arch}`;
  return ensurePackage("node", { package: name, version, program: [name, "bin", "node"] });
}

/** The path of a package's program in the cache, or "". */
function ensurePackage(name, wanted) {
  const home = join(cache, `${name}-${wanted.version}`);
  if (programIn(home, wanted) === "") install(home, wanted);
  return programIn(home, wanted);
}

/** Beside its place first, so that an install that was interrupted is never taken for a whole one. */
function install(home, wanted) {
  const spec = `${wanted.package}@${wanted.version}`;
  const fresh = `${home}.${process.pid}`;
  say(`installing ${spec} in ${cache}`);
  try {
    mkdirSync(fresh, { recursive: true });
    // Native programs come in packages of their own: no script is needed, nor the Node they ask for.
    const options = ["--no-audit", "--no-fund", "--ignore-scripts", "--engine-strict=false"];
    const quiet = ["--loglevel=error", "--prefix", fresh];
    if (run("npm", ["install", ...options, ...quiet, spec], { cwd: fresh }) !== 0) return;
    if (programIn(fresh, wanted) === "") return;
    rmSync(home, { recursive: true, force: true });
    mkdirSync(dirname(home), { recursive: true });
    renameSync(fresh, home);
  } catch (error) {
    say(`${spec}: ${error.message}`);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

function programIn(home, { program }) {
  return findPath(join(home, "node_modules"), program);
}

/** The first path that fits; `*` in a segment stands for the platform. */
function findPath(folder, [segment, ...rest]) {
  if (!existsSync(folder)) return "";
  if (segment === undefined) return folder;
  const [before, after] = segment.split("*");
  const fits = (name) =>
    after === undefined ? name === segment : name.startsWith(before) && name.endsWith(after);
  const found = readdirSync(folder)
    .filter(fits)
    .map((name) => findPath(join(folder, name), rest));
  return found.find((path) => path !== "") ?? "";
}
