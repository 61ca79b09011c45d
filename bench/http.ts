/**
 * An http hook in a process that lives on: connections that are kept against fresh ones, without
 * and with TLS. Needs the openssl program for the latter.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runHttp } from "../src/handlers/http.ts";
import { hookOf, workOf } from "../test/_remote.ts";

const rounds = process.argv.includes("--quick") ? 100 : 1000;
const folder = process.env["ANYHOOK_BENCH_CERT"];

if (folder === undefined) startWithCertificate();
else {
  const read = (name: string): string => readFileSync(join(folder, name), "utf8");
  await compare("http", createServer());
  await compare("https", createSecureServer({ key: read("key.pem"), cert: read("cert.pem") }));
}

/** Node reads certificates that it shall trust when it starts. */
function startWithCertificate(): void {
  const made = mkdtempSync(join(tmpdir(), "anyhook-bench-"));
  const [key, cert] = [join(made, "key.pem"), join(made, "cert.pem")];
  const subject = [
    "-subj",
    "/CN=localhost",
    "-addext",
    "subjectAltName=DNS:localhost,IP:127.0.0.1",
  ];
  const files = ["-keyout", key, "-out", cert, "-nodes", "-days", "1"];
  try {
    execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", ...files, ...subject], {
      stdio: "ignore",
    });
    const env = { ...process.env, ANYHOOK_BENCH_CERT: made, NODE_EXTRA_CA_CERTS: cert };
    const [, ...args] = process.argv;
    process.exitCode = spawnSync(process.execPath, args, { env, stdio: "inherit" }).status ?? 1;
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

async function compare(name: string, server: ReturnType<typeof createServer>): Promise<void> {
  server.on("request", (request, response) => {
    request.resume();
    request.on("end", () => response.end('{"continue":true}'));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  // Under two names, or each would use up the connection that the other has kept.
  const kept = hookOf("http", `${name}://localhost:${port}/`);
  const close = { headers: { connection: "close" } };
  const fresh = hookOf("http", `${name}://127.0.0.1:${port}/`, close);
  const times = { kept: [] as number[], fresh: [] as number[] };
  for (let round = -20; round < rounds; round++)
    for (const [way, hook] of [["kept", kept] as const, ["fresh", fresh] as const]) {
      const began = performance.now();
      const { status, detail } = await runHttp(hook, workOf());
      if (status !== "ok") throw new Error(detail);
      if (round >= 0) times[way].push(performance.now() - began);
    }
  server.close();
  server.closeAllConnections();
  const [a, b] = [median(times.kept), median(times.fresh)];
  const text = `kept ${a.toFixed(2)} ms, fresh ${b.toFixed(2)} ms; fresh = ${(b / a).toFixed(2)} × kept`;
  process.stdout.write(`${name.padEnd(6)} ${rounds} rounds, medians: ${text}\n`);
}

function median(list: readonly number[]): number {
  return list.toSorted((x, y) => x - y)[list.length >> 1]!;
}
