import { LOOK } from "../compile/look.ts";

/**
 * The program of a thread, as text: a bundler that takes this library into a program cannot lose
 * it. A bundle is loaded from memory, once per thread, under the address of its own content.
 */
export const THREAD = `
const { parentPort } = require("node:worker_threads");
${LOOK}
// Taken before a module is loaded, which may replace whatever it can reach.
const { stringify } = JSON;
const post = parentPort.postMessage.bind(parentPort);
let said = "";
const urls = new Map();
for (const stream of [process.stdout, process.stderr]) {
  stream.write = (chunk, encoding, done = encoding) => {
    if (said.length < 65536) said += String(chunk);
    if (typeof done === "function") queueMicrotask(done);
    return true;
  };
}
const urlOf = (code) => {
  if (!urls.has(code)) urls.set(code, "data:text/javascript;base64," + Buffer.from(code).toString("base64"));
  return urls.get(code);
};
const perform = async ({ task, code, event, env, timeout }) => {
  if (task === "look") return look(urlOf(code)).catch((error) => ({ problem: "it throws when loaded: " + (error?.message ?? error) }));
  Object.assign(process.env, env);
  const module = await import(urlOf(code));
  if (typeof module.default?.run !== "function") throw new Error("the module has no run function");
  const value = await module.default.run(event, { signal: AbortSignal.timeout(timeout) });
  if (typeof value === "function") throw new TypeError("returned a function: return an answer, a text or nothing");
  return value;
};
parentPort.on("message", (job) => {
  said = "";
  perform(job).then(
    (value) => ({ status: "ok", detail: "", json: stringify(value) ?? "" }),
    (error) => ({ status: "failed", detail: process.env.ANYHOOK_TRACE === "1" && error?.stack || String(error), json: "" }),
  ).catch((error) => ({ status: "failed", detail: String(error), json: "" }))
   .then((ended) => post({ ...ended, said, nonce: job.nonce }));
});
`;
