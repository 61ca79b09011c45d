/** Loaded into our command line: ends it, without a chance to clean up, at its n-th write to disk. */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

let left = Number(process.env["KILL_AT"]);
for (const name of [
  "renameSync",
  "rmSync",
  "writeFileSync",
  "openSync",
  "mkdirSync",
  "rmdirSync",
]) {
  const real = fs[name];
  fs[name] = (...args) => {
    if ((name !== "openSync" || /[wa]/.test(String(args[1]))) && --left === 0)
      process.kill(process.pid, "SIGKILL");
    return real(...args);
  };
}
syncBuiltinESMExports();
