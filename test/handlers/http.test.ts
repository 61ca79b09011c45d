import { createServer, type Server as NetServer, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { checkedLookup } from "../../src/handlers/_lookup.ts";
import { refusedAddress, refusedHost } from "../../src/handlers/_net.ts";
import { hookOf, judged, PAYLOAD, startServer, workOf, type Server } from "../_remote.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

const serve: typeof startServer = async (answer) => {
  const server = await startServer(answer);
  closers.push(() => server.close());
  return server;
};

const reply = (status: number, body: string, type = "application/json"): Promise<Server> =>
  serve((_, response) => response.writeHead(status, { "content-type": type }).end(body));

/** host:port → H, so that whole objects can be compared. */
const ask = async (url: string, extra = {}, more = {}) => {
  const { trace: _, ...said } = await judged(hookOf("http", url, extra), workOf(PAYLOAD, more));
  return { ...said, detail: said.detail.replace(/127\.0\.0\.1:\d+|localhost:\d+/g, "H") };
};

const pass = { status: "ok", detail: "", said: "pass" };
const failed = (detail: string) => ({ status: "failed", detail, said: "pass" });

describe("C1: what an endpoint answers", () => {
  test.each([
    [200, '{"decision":"block","reason":"no"}', { ...pass, said: "deny: no" }],
    [201, ' {"decision":"ask","reason":"sure?"} \n', { ...pass, said: "ask: sure?" }],
    [200, '{"rewrite":{"command":"ls"}}', { ...pass, said: "rewrite: " }],
    [200, '{"context":"read this"}', pass],
    [200, '{"continue":true}', pass],
    [200, "", pass],
    [204, "", pass],
    [200, "ok", failed("H: 200, but the body is no JSON object")],
    [200, "[1]", failed("H: 200, but the body is no JSON object")],
    [200, '{"decision":"block"', failed("H: 200, but the body is no JSON object")],
    [200, '{"decision":"blok"}', failed('unknown decision "blok"')],
    [200, '{"decision":{"behavior":"deny"}}', failed("decision must be a text")],
    [200, '{"decision":0}', failed("decision must be a text")],
    [200, '{"decision":null,"reason":"x"}', failed("a reason without a decision")],
    [200, '{"decision":"","reason":"x"}', failed("a reason without a decision")],
    [200, '{"decision":null}', pass],
    [200, '{"continue":"false"}', failed("continue must be true or false")],
    [200, '{"hookSpecificOutput":[]}', failed("hookSpecificOutput must be an object")],
    [
      200,
      '{"hookSpecificOutput":{"permissionDecision":false}}',
      failed("hookSpecificOutput.permissionDecision must be a text"),
    ],
    [
      200,
      '{"hookSpecificOutput":{"decision":"deny"}}',
      failed("hookSpecificOutput.decision must be an object"),
    ],
    [
      200,
      '{"permissionDecision":"deny","permissionDecisionReason":"no"}',
      { ...pass, said: "deny: no" },
    ],
    [200, '{"permissionDecision":"dny"}', failed('unknown decision "dny"')],
    [301, "", failed("H: 301, and redirects are not followed")],
    [404, '{"decision":"block","reason":"no"}', failed("H: answered 404")],
    [500, "", failed("H: answered 500")],
  ])("%i %s", async (status, body, said) => {
    const server = await reply(status, body);
    expect(await ask(server.url)).toEqual(said);
    expect(server.seen.length).toBe(1);
  });

  test("a redirect is not followed, whatever it leads to", async () => {
    const target = await reply(200, '{"decision":"allow"}');
    const server = await serve((_, response) =>
      response.writeHead(307, { location: target.url }).end(),
    );
    expect(await ask(server.url)).toEqual(failed("H: 307, and redirects are not followed"));
    expect([server.seen.length, target.seen.length]).toEqual([1, 0]);
  });

  test("a body above 1 MB", async () => {
    const server = await reply(200, JSON.stringify({ context: "x".repeat(1_100_000) }));
    expect(await ask(server.url)).toEqual(failed("H: 200, with more than 1 MB"));
    const smaller = await reply(200, JSON.stringify({ context: "x".repeat(900_000) }));
    expect(await ask(smaller.url)).toEqual(pass);
  });

  test("a body that never ends", async () => {
    const server = await serve((_, response) => {
      const flood = setInterval(() => response.write("x".repeat(65_536)), 1);
      response.on("close", () => clearInterval(flood));
    });
    expect(await ask(server.url)).toEqual(failed("H: 200, with more than 1 MB"));
  });

  test("refused, no such host, not HTTP, hung up, cut off", async () => {
    const gone = await reply(200, "");
    await gone.close();
    expect(await ask(gone.url)).toEqual(failed("H: connection refused"));
    expect((await ask("http://no-such-host.invalid/")).detail).toMatch(
      /^no-such-host.invalid: host not found/,
    );
    const rude = await tcp((socket) => socket.end("HELLO\r\n\r\n"));
    expect(await ask(rude)).toEqual(failed("H: the answer is not HTTP"));
    const silent = await tcp((socket) => socket.destroy());
    expect(await ask(silent)).toEqual(failed("H: the connection was closed before an answer came"));
    const cut = await tcp((socket) =>
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"decision":'),
    );
    expect(await ask(cut)).toEqual(failed("H: the answer was cut off"));
    const bare = await tcp((socket) => socket.end("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n"));
    expect(await ask(bare)).toEqual(failed("H: 200, closed before a body came"));
    const empty = await tcp((socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"));
    expect(await ask(empty)).toEqual(pass);
  });

  test("a server that hangs meets the timeout, and its connection is closed", async () => {
    const server = await serve(() => {});
    const said = await ask(server.url, {}, { timeout: 100 });
    expect(said).toEqual({ status: "timeout", detail: "no answer within 100 ms", said: "pass" });
    await expect.poll(() => server.open()).toBe(0);
    const slow = await serve((_, response) => void response.write('{"context":'));
    expect((await ask(slow.url, {}, { timeout: 100 })).status).toBe("timeout");
  });

  test("on_failure: block makes every one of them a block", async () => {
    const server = await reply(500, "");
    const hook = hookOf("http", server.url, {}, { onFailure: "block" });
    expect((await judged(hook, workOf())).said).toMatch(
      /^deny: Hook check failed \(.*answered 500/,
    );
  });
});

async function tcp(answer: (socket: Socket) => void): Promise<string> {
  const sockets: Socket[] = [];
  const server: NetServer = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => {});
    socket.once("data", () => answer(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(() => resolve()));
  });
  const address = server.address() as { port: number };
  return `http://127.0.0.1:${address.port}/`;
}

describe("what is sent", () => {
  test("the canonical payload, as JSON", async () => {
    const server = await reply(204, "");
    const native = { ...PAYLOAD, tool_name: "exec_command" };
    const work = workOf(native);
    await judged(hookOf("http", server.url), { ...work, event: { ...work.event, tool: "Bash" } });
    const [{ body, headers }] = server.seen as [Server["seen"][0]];
    expect(JSON.parse(body)).toEqual({ ...PAYLOAD, paths: [] });
    expect(headers).toMatchObject({
      "content-type": "application/json",
      "anyhook-event-id": "s-1%3APreToolUse%3Atoolu_1",
    });
  });

  test("a payload that is no JSON", async () => {
    const server = await reply(204, "");
    const work = workOf({}, { input: Buffer.from('{"tool_name": "unfinished') });
    expect((await judged(hookOf("http", server.url), work)).status).toBe("ok");
    expect(JSON.parse(server.seen[0]!.body)).toEqual({ hook_event_name: "PreToolUse" });
  });

  test("headers take listed variables, and nothing else", async () => {
    const server = await reply(204, "");
    const env = { TOKEN: "t0p", HOST_NAME: "h", OTHER: "secret" };
    const headers = { Authorization: "Bearer ${TOKEN}", "X-Both": "$HOST_NAME-$5 ${TOKEN}" };
    const good = { headers, allowed_env: ["TOKEN", "HOST_NAME"] };
    expect(await ask(server.url, good, { env })).toEqual(pass);
    expect(server.seen[0]!.headers).toMatchObject({
      authorization: "Bearer t0p",
      "x-both": "h-$5 t0p",
    });
    const other = { headers: { a: "$OTHER" }, allowed_env: ["TOKEN"] };
    expect(await ask(server.url, other, { env })).toEqual(failed("OTHER is not in allowed_env"));
    const unset = { headers: { a: "$TOKEN" }, allowed_env: ["TOKEN"] };
    expect(await ask(server.url, unset, { env: {} })).toEqual(failed("TOKEN is not set"));
    const split = await ask(server.url, unset, { env: { TOKEN: "a\r\nx: y" } });
    expect(split).toEqual(failed('header "a" cannot be sent: it has odd characters'));
    expect(server.seen.length).toBe(1);
  });

  test("no secret of the address or the headers is in what is said", async () => {
    const server = await reply(500, "");
    const url = server.url.replace("127", "me:pa55word@127").replace("/check", "/x?key=q5ecret");
    const extra = { headers: { a: "$TOKEN" }, allowed_env: ["TOKEN"] };
    const said = await judged(
      hookOf("http", url, extra),
      workOf(PAYLOAD, { env: { TOKEN: "t0psecret" } }),
    );
    expect(said.detail).toBe(`127.0.0.1:${server.port}: answered 500`);
    expect(server.seen[0]!.headers).toMatchObject({ a: "t0psecret" });
  });
});

describe("which places it may reach", () => {
  const refused = (host: string, lists: string[][] = []): string =>
    refusedHost(new URL(`http://${host}/`), lists);

  test.each([
    "169.254.169.254",
    "169.254.1.1",
    "[fe80::1]",
    "[fd00:ec2::254]",
    "[fd20:ce::254]",
    "metadata.google.internal",
    "METADATA.google.internal.",
    "100.100.100.200",
    "168.63.129.16",
    "0.0.0.0",
    "0",
    "[::]",
    "224.0.0.1",
    "255.255.255.255",
    "[ff02::1]",
    "2852039166",
    "0xA9FEA9FE",
    "[::ffff:169.254.169.254]",
    "[::ffff:a9fe:a9fe]",
    "[64:ff9b::169.254.169.254]",
    "[2002:a9fe:a9fe::1]",
    "[::169.254.169.254]",
    "[::ffff:0:169.254.169.254]",
    "[64:ff9b:1::169.254.169.254]",
    "[64:ff9b:1:ffff:ffff:ffff:a9fe:a9fe]",
    "[64:ff9b:1:a9fe:a9:fe00::]",
    "[64:ff9b:1:a9:fe:a9fe::]",
    "[64:ff9b:1:0:a9:fea9:fe00:0]",
    "[2001:0:a9fe:a9fe::f7f7:f7f7]",
    "[2001:0:808:808::5601:5601]",
    "[2001:db8::5efe:169.254.169.254]",
    "[2001:db8::200:5efe:a9fe:a9fe]",
  ])("never %s", (host) => {
    expect(refused(host)).toMatch(/which hooks may not reach$/);
  });

  test.each([
    "127.0.0.1",
    "[::1]",
    "10.0.0.7",
    "192.168.1.1",
    "172.16.0.1",
    "[fd12::1]",
    "8.8.8.8",
    "localhost",
    "[::ffff:127.0.0.1]",
    "100.64.0.1",
    "[64:ff9b:1::8.8.8.8]",
    "[::ffff:0:8.8.8.8]",
    "[2001:0:808:808::f7f7:f7f7]",
    "[2001:db8::5efe:8.8.8.8]",
    "[2001:db8::a9fe:a9fe]",
  ])("%s is fine", (host) => {
    expect(refused(host)).toBe("");
  });

  test("allowed_hosts: exact, with a port, by suffix; every list must agree", () => {
    const lists = [["x.org", "*.corp.example", "localhost:8080", "[::1]:9"]];
    for (const host of [
      "x.org",
      "X.ORG:99",
      "a.corp.example",
      "a.b.corp.example",
      "localhost:8080",
      "[::1]:9",
    ])
      expect(refused(host, lists), host).toBe("");
    for (const host of [
      "y.org",
      "ax.org",
      "x.org.evil",
      "corp.example",
      "localhost",
      "localhost:8081",
      "[::1]",
    ])
      expect(refused(host, lists), host).toMatch(/is not in allowed_hosts$/);
    expect(refused("x.org", [["x.org"], ["y.org"]])).toBe("x.org is not in allowed_hosts");
    expect(refused("x.org", [[]])).toBe("x.org is not in allowed_hosts");
    expect(refused("169.254.169.254", [["*.org", "169.254.169.254"]])).toBe("");
  });

  test("a host that is not in the list is not connected to", async () => {
    const server = await reply(204, "");
    const said = await ask(server.url, { allowed_hosts: [["x.org"]] });
    expect(said).toEqual(failed("H is not in allowed_hosts"));
    expect(server.connections()).toBe(0);
    expect(await ask(server.url, { allowed_hosts: [["127.0.0.1"]] })).toEqual(pass);
  });

  test("a name is checked by the address that is really connected to", async () => {
    const resolved = (...addresses: string[]) =>
      new Promise<string>((resolve) => {
        const look = checkedLookup((_, __, done) =>
          done(
            null,
            addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
          ),
        );
        look("rebound.example", { all: true }, (error, found) =>
          resolve(error ? error.message : JSON.stringify(found)),
        );
      });
    expect(await resolved("127.0.0.1")).toBe('[{"address":"127.0.0.1","family":4}]');
    expect(await resolved("8.8.8.8", "169.254.169.254")).toMatch(
      /^rebound.example: 169.254.169.254 is/,
    );
    expect(await resolved("::ffff:169.254.169.254")).toMatch(/may not reach$/);
    expect(refusedAddress("fe80::1%eth0")).toMatch(/link-local/);
  });

  test("localhost by name works, so the lookup is in use", async () => {
    const server = await reply(204, "");
    expect(await ask(`http://localhost:${server.port}/`)).toEqual(pass);
  });
});

test("a hook that the compiler found broken is not run", async () => {
  const server = await reply(204, "");
  const hook = hookOf("http", server.url, {}, { broken: "allowed_hosts is not known" });
  const said = await judged(hook, workOf());
  expect(said).toMatchObject({ status: "failed", detail: "allowed_hosts is not known" });
  expect(server.seen.length).toBe(0);
});

test("connections are used again, and a server that closed one in between is asked once more", async () => {
  const server = await reply(200, '{"context":"x"}');
  for (let i = 0; i < 5; i++) expect(await ask(server.url)).toEqual(pass);
  expect([server.seen.length, server.connections()]).toEqual([5, 1]);
  let asked = 0;
  const closing = await tcp((socket) => {
    asked++;
    socket.write("HTTP/1.1 204 No Content\r\nconnection: keep-alive\r\n\r\n");
    socket.once("data", () => socket.destroy());
  });
  expect(await ask(closing)).toEqual(pass);
  expect(await ask(closing)).toEqual(pass);
  expect(asked).toBe(2);
});
