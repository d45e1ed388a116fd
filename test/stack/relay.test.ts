import { type ChildProcess, spawn } from "node:child_process";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freePorts } from "../../tools/local/ports.ts";
import { endGroup, root } from "../../tools/local/processes.ts";

/** The relay of examples/relay. */

const KEY = "relay-key-of-the-tests-0123456789abcdef";
const started: ChildProcess[] = [];
let receiver: Server;
let target = "";
let got: { headers: IncomingMessage["headers"]; body: string } | null = null;

/** Starts a relay. @returns its address */
async function startRelay(settings: Record<string, string>): Promise<string> {
  const [port = 0] = await freePorts(1);
  const env = { PATH: process.env["PATH"], RELAY_KEY: KEY, PORT: String(port), ...settings };
  const child = spawn(process.execPath, [join(root, "examples/relay/relay.mjs")], {
    env,
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  started.push(child);
  await new Promise((resolve) => child.stdout.once("data", resolve));
  return `http://localhost:${port}`;
}

const send = (relay: string, to: string, headers: Record<string, string> = {}) =>
  fetch(relay, {
    method: "POST",
    body: '{"a":1}',
    headers: { "Relay-Key": KEY, "Relay-To": to, "Service-Signature": "t=1,v1=2", ...headers },
  });

let open = "";
let closed = "";
beforeAll(async () => {
  receiver = createServer((request, response) => {
    let body = "";
    request.on("data", (part) => {
      body += String(part);
    });
    request.on("end", () => {
      got = { headers: request.headers, body };
      if (request.url === "/busy") return response.writeHead(503, { "Retry-After": "120" }).end("later");
      if (request.url === "/never") return response.writeHead(200).write("so far");
      if (request.url === "/silent") return undefined;
      if (request.url === "/long") return response.end("x".repeat(100_000));
      return response.writeHead(200).end("thanks");
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const address = receiver.address();
  target = `http://localhost:${typeof address === "object" ? (address?.port ?? 0) : 0}`;
  open = await startRelay({ RELAY_ALLOWS_LOOPBACK: "1", RELAY_TIMEOUT: "500" });
  closed = await startRelay({});
});
afterAll(async () => {
  await Promise.all(started.map((child) => endGroup(child)));
  await new Promise((resolve) => receiver.close(resolve));
});

it("sends the body and the signature on, and says what the receiver answered", async () => {
  const answer = await send(open, `${target}/hook`);
  expect([answer.status, answer.headers.get("Relay-Status"), await answer.text()]).toEqual([200, "200", "thanks"]);
  expect(got?.body).toBe('{"a":1}');
  expect(got?.headers["service-signature"]).toBe("t=1,v1=2");
  expect(Object.keys(got?.headers ?? {}).filter((name) => name.startsWith("relay-"))).toEqual([]);
});

it("says another status with Retry-After, no connection, and no more than the beginning of an answer", async () => {
  const busy = await send(open, `${target}/busy`);
  expect([busy.headers.get("Relay-Status"), busy.headers.get("Retry-After")]).toEqual(["503", "120"]);
  const none = await send(open, "http://localhost:1/");
  expect([none.status, none.headers.get("Relay-Status"), none.headers.get("Relay-Error")]).toEqual([200, null, "connection"]);
  expect((await (await send(open, `${target}/long`)).text()).length).toBe(1024);
});

it("knows its key, and sends nothing to an address inside a network", async () => {
  expect((await send(open, `${target}/hook`, { "Relay-Key": "other" })).status).toBe(401);
  expect((await send(open, "ftp://example.com")).status).toBe(400);
  for (const address of ["127.0.0.1", "10.0.0.1", "[::1]", "169.254.169.254"])
    expect((await send(closed, `http://${address}/`)).status).toBe(400);
  got = null;
  const byName = await send(closed, `${target}/hook`);
  expect([byName.headers.get("Relay-Error"), got]).toEqual(["connection", null]);
});

it("lets the status decide where the body never ends, and says when none came in time", async () => {
  const begun = await send(open, `${target}/never`);
  expect([begun.headers.get("Relay-Status"), await begun.text()]).toEqual(["200", "so far"]);
  expect((await send(open, `${target}/silent`)).headers.get("Relay-Error")).toBe("timeout");
});

it("goes on after a request that was cut off, and sends on nothing that proxies have added", async () => {
  const { hostname, port } = new URL(open);
  const socket = connect(Number(port), hostname);
  await new Promise<void>((resolve) => socket.once("connect", resolve));
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nRelay-Key: ${KEY}\r\nRelay-To: ${target}/hook\r\nContent-Length: 100\r\n\r\nhalf`);
  await new Promise((resolve) => setTimeout(resolve, 50));
  socket.destroy();
  const answer = await send(open, `${target}/hook`, { "X-Forwarded-For": "10.1.2.3", Via: "1.1 proxy" });
  expect(answer.headers.get("Relay-Status")).toBe("200");
  expect(Object.keys(got?.headers ?? {})).not.toEqual(expect.arrayContaining(["x-forwarded-for"]));
  expect(got?.headers["via"]).toBeUndefined();
});
