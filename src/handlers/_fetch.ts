import * as http from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import { checkedLookup } from "./_lookup.ts";
import { type AllowLists, refusedHost } from "./_net.ts";
import { Failure } from "./_settled.ts";

export interface Outgoing {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly hosts: AllowLists;
  readonly signal: AbortSignal;
}

export interface Incoming {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** As much as a script may print. */
const MOST = 1_048_576;

/** One POST: bounded, never redirected, never proxied. Throws a Failure that names host and cause. */
export async function post(out: Outgoing): Promise<Incoming> {
  const refused = refusedHost(out.url, out.hosts);
  if (refused !== "") throw new Failure(refused);
  try {
    return await send(out);
  } catch (error) {
    // The other side may close an idle connection in the moment in which we take it up again.
    if (error instanceof Stale) return send(out);
    throw error;
  }
}

class Stale extends Error {}

/** Connections are kept where the process lives on; idle ones do not keep it alive. */
const KEPT = { keepAlive: true, maxFreeSockets: 8, scheduling: "lifo" } as const;
const agents: { http?: http.Agent; https?: http.Agent } = {};

function transport(url: URL): { request: typeof http.request; agent: http.Agent } {
  if (url.protocol === "http:")
    return { request: http.request, agent: (agents.http ??= new http.Agent(KEPT)) };
  // Only now: TLS costs as much as all the rest.
  const https = process.getBuiltinModule("node:https");
  return { request: https.request, agent: (agents.https ??= new https.Agent(KEPT)) };
}

function send({ url, headers, body, signal }: Outgoing): Promise<Incoming> {
  return new Promise((done, reject) => {
    const { request, agent } = transport(url);
    const length = { "content-length": String(body.length) };
    const all = { ...headers, ...length, "accept-encoding": "identity" };
    const sent = request(url, {
      method: "POST",
      headers: all,
      agent,
      signal,
      lookup: checkedLookup(),
    });
    sent.on("response", (response) => receive(url, response, done, reject));
    sent.on("error", (error: NodeJS.ErrnoException) => {
      const stale = sent.reusedSocket && ["ECONNRESET", "EPIPE"].includes(error.code ?? "");
      reject(stale ? new Stale() : failureOf(url, error));
    });
    sent.end(body);
  });
}

function receive(
  url: URL,
  response: http.IncomingMessage,
  done: (value: Incoming) => void,
  reject: (error: Error) => void,
): void {
  const status = response.statusCode ?? 0;
  const chunks: Buffer[] = [];
  let size = 0;
  response.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size <= MOST) return;
    reject(new Failure(`${url.host}: ${status}, with more than 1 MB`));
    response.destroy();
  });
  response.on("error", () => reject(new Failure(`${url.host}: the answer was cut off`)));
  response.on("end", () =>
    done({ status, headers: response.headers, body: Buffer.concat(chunks) }),
  );
}

const CAUSES: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ENOTFOUND: "host not found",
  EAI_AGAIN: "host not found: the name server does not answer",
  ECONNRESET: "the connection was closed before an answer came",
  EPIPE: "the connection was closed before an answer came",
  ETIMEDOUT: "no connection",
  EHOSTUNREACH: "host not reachable",
  ENETUNREACH: "network not reachable",
  HPE_HEADER_OVERFLOW: "the headers of the answer are too large",
};

const KINDS = [
  ["HPE_", "the answer is not HTTP"],
  ["CERT", "its certificate is not trusted"],
  ["SSL", "no secure connection"],
] as const;

/** Never the message of the error itself: it may hold what was sent. */
function failureOf(url: URL, error: NodeJS.ErrnoException): Error {
  if (error instanceof Failure) return error;
  const code = error.code ?? error.name;
  const why = CAUSES[code] ?? KINDS.find(([part]) => code.includes(part))?.[1] ?? code;
  return new Failure(`${url.host}: ${why}`);
}
