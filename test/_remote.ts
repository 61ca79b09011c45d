import { spawn } from "node:child_process";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo } from "node:net";
import { HANDLERS, type Work } from "../src/handlers/index.ts";
import { judgeRun } from "../src/handlers/_verdict.ts";
import type { HandlerKind, Hook, Outcome } from "../src/model.ts";
import { DISPATCH, type Project, type Replied } from "./_dispatch.ts";

/** A row as the compiler writes it. */
export const hookOf = (
  kind: HandlerKind,
  script: string,
  extra: Readonly<Record<string, unknown>> = {},
  more: Partial<Hook> = {},
): Hook => ({
  ...{ event: "PreToolUse", order: 0, block: true, script, name: "check", kind, layer: "project" },
  ...{ timeout: 2000, onFailure: "allow", chain: "", async: false, once: false, reentrant: false },
  notify: false,
  ...{ payload: "", harness: [], matcher: [], needs: [], args: [], broken: "" },
  source: ".anyhook/hooks.yaml:2",
  extra: Object.keys(extra).length === 0 ? "" : JSON.stringify(extra),
  ...more,
});

export const PAYLOAD = {
  session_id: "s-1",
  transcript_path: "/t.jsonl",
  cwd: "/work",
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: "git push --force" },
  tool_use_id: "toolu_1",
};

export function workOf(
  payload: Readonly<Record<string, unknown>> = PAYLOAD,
  more: Partial<Work> = {},
): Work {
  const tool = String(payload["tool_name"] ?? "");
  return {
    event: {
      ...{ harness: "claude-code", event: "PreToolUse", session: "s-1", cwd: "/work", tool },
      ...{ toolNames: [tool], paths: [], localPaths: [], id: "s-1:PreToolUse:toolu_1", payload },
    },
    input: Buffer.from(JSON.stringify(payload)),
    canonical: Buffer.from(JSON.stringify(payload)),
    ...{ root: "", cwd: "/", env: { PATH: process.env["PATH"] }, timeout: 2000, slot: "" },
    native: payload,
    ...more,
  };
}

/** One handler, run and judged: status, detail, verdict and trace, without what differs by nature. */
export async function judged(
  hook: Hook,
  work: Work,
): Promise<Pick<Outcome, "status" | "detail"> & { said: string; trace: readonly string[] }> {
  const run = await HANDLERS[hook.kind](hook, work);
  const { status, detail, verdict } = judgeRun(hook, run);
  const said = verdict.kind === "pass" ? "pass" : `${verdict.kind}: ${verdict.reason}`;
  return { status, detail, said, trace: run.trace ?? [] };
}

export interface Server {
  readonly url: string;
  readonly port: number;
  readonly seen: { readonly body: string; readonly headers: IncomingMessage["headers"] }[];
  /** Connections that were made, over all. */
  readonly connections: () => number;
  readonly open: () => Promise<number>;
  close(): Promise<void>;
}

/** An endpoint on loopback. */
export async function startServer(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Server> {
  const seen: Server["seen"] = [];
  let connections = 0;
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = Buffer.concat(await request.toArray()).toString("utf8");
    seen.push({ body, headers: request.headers });
    answer(request, response);
  };
  const server = createServer((request, response) => void respond(request, response));
  server.on("connection", () => connections++);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    ...{ url: `http://127.0.0.1:${port}/check`, port, seen },
    connections: () => connections,
    open: () =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      ),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** As `dispatch`, but servers of this very process can answer meanwhile. */
export function dispatchLater(
  project: Project,
  harness: string,
  event: string,
  payload: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Replied> {
  const child = spawn("dash", [DISPATCH, harness, event], {
    cwd: project.root,
    env: { ...project.env, ...env },
  });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
  child.stdin.end(payload);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (status) =>
      resolve({
        stdout: Buffer.concat(out).toString("utf8"),
        stderr: Buffer.concat(err).toString("utf8"),
        status,
      }),
    );
  });
}
