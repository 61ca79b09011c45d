import type { ReplyTemplate, Surface } from "./_contract.ts";
import type { Call } from "./_settings.ts";

/**
 * Harnesses that run plugins in their own process get a generated one. It calls the dispatcher as
 * a child, like every other harness does, and only translates: this file holds what both need.
 *
 * Between plugin and dispatcher, always with exit 0: `{"decision":"deny","reason":…}`,
 * `{"input":…}`, `{"context":…}`, `{"notice":…}`, together where they go together. Anything else
 * (another exit, no JSON, silence past the deadline) is trouble of ours and a pass.
 */
const BESIDE = '`,"context":$C``,"notice":$N`';

export const pluginObserves: ReplyTemplate = { exit: 0, out: '{`"notice":$N`}', err: "" };
export const pluginPass: ReplyTemplate = {
  exit: 0,
  out: '{`"context":$C``,"notice":$N`}',
  err: "",
};
export const pluginDeny: ReplyTemplate = {
  exit: 0,
  out: `{"decision":"deny","reason":$R${BESIDE}}`,
  err: "",
};
export const pluginDenyOnly: ReplyTemplate = {
  exit: 0,
  out: '{"decision":"deny","reason":$R`,"notice":$N`}',
  err: "",
};
export const pluginRewrite: ReplyTemplate = { exit: 0, out: `{"input":$I${BESIDE}}`, err: "" };
export const pluginRewriteOnly: ReplyTemplate = {
  exit: 0,
  out: '{"input":$I`,"notice":$N`}',
  err: "",
};

export const pluginSurface = (
  native: string,
  timeout: number,
  replies: Surface["replies"] = { pass: pluginObserves },
): Surface => ({ native, timeout, replies });

/** The text of a plugin: what it may call, how it calls, and the harness's own part. */
export function renderPlugin(calls: readonly Call[], own: string): string {
  const table = Object.fromEntries(
    calls.map(({ native, command, timeout }) => [native, { command, timeout }]),
  );
  return [
    "// Written by anyhook. Do not edit: anyhook install writes it again.",
    'import { spawn } from "node:child_process";',
    "",
    `const CALLS = ${JSON.stringify(table, null, 2)};`,
    `${SHARED}${own}`,
  ].join("\n");
}

/** Bun and Node; nothing but node: builtins. */
const SHARED = String.raw`
const told = new Set();

/** One trip to the dispatcher. It never rejects: our own trouble is a pass and one notice. */
function ask(native, payload, tell) {
  const call = CALLS[native];
  if (!call) return Promise.resolve({});
  return new Promise((resolve) => {
    let child, timer, answered, out = "", err = "";
    const answer = (reply, trouble) => {
      if (answered) return;
      answered = true;
      clearTimeout(timer);
      say(tell, reply.notice, err, trouble && "no hook decided at " + native + ": " + trouble);
      resolve(reply);
    };
    const read = (code, signal) => {
      if (code !== 0) return answer({}, "the dispatcher ended with " + (code ?? signal));
      try {
        const reply = out.trim() === "" ? {} : JSON.parse(out);
        if (reply && typeof reply === "object" && !Array.isArray(reply)) return answer(reply);
      } catch {}
      answer({}, "the dispatcher's answer is not JSON");
    };
    try {
      const text = JSON.stringify(payload);
      // A group of its own, so that nothing it started outlives the deadline.
      child = spawn("/bin/sh", ["-c", call.command], {
        cwd: payload.cwd, detached: true, stdio: ["pipe", "pipe", "pipe"],
      });
      timer = setTimeout(() => {
        for (const [signal, later] of [["SIGTERM", 0], ["SIGKILL", 2000]])
          setTimeout(() => { try { process.kill(-child.pid, signal); } catch {} }, later).unref();
        answer({}, "no answer within " + call.timeout + " ms");
      }, call.timeout);
      child.on("error", (error) => answer({}, error.message));
      child.stdin.on("error", () => {});
      child.stdout.setEncoding("utf8").on("data", (part) => { out += part; });
      child.stderr.setEncoding("utf8").on("data", (part) => { if (err.length < 10000) err += part; });
      // Something in the background may keep the pipe open: the exit counts.
      child.on("exit", (code, signal) => setTimeout(() => read(code, signal), 300).unref());
      child.on("close", read);
      child.stdin.end(text + "\n");
    } catch (error) {
      answer({}, String(error && error.message || error));
    }
  });
}

/** Each text once per process; a notice that cannot be shown is no reason to fail. */
function say(tell, ...texts) {
  const lines = texts.flatMap((text) => (typeof text === "string" ? text.split("\n") : []));
  const fresh = lines.map((line) => line.replace(/^anyhook: /, "").trim())
    .filter((line) => line !== "" && !told.has(line) && told.add(line));
  if (fresh.length > 0) try { tell("anyhook: " + fresh.join("\n")); } catch {}
}

const reasonOf = ({ reason, context }) =>
  [reason || "Denied by a hook.", context].filter((text) => text).join("\n\n");

/** The object itself stays: its owner holds on to it. What cannot be changed must not go on as it is. */
function fillIn(target, values) {
  if (values === undefined) return;
  if (!target || typeof target !== "object" || !values || typeof values !== "object")
    throw new Error("A hook changed the input, and that is not possible for this call.");
  for (const key of Object.keys(target)) if (!(key in values)) delete target[key];
  Object.assign(target, values);
}
`;
