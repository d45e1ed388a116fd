// An egress relay: deliveries of webhooks leave from this machine's address, for receivers that allow some addresses alone.
// RELAY_KEY=<at least 32 random characters> PORT=8080 node relay.mjs
import { timingSafeEqual } from "node:crypto";
import { lookup } from "node:dns";
import { createServer, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { BlockList, isIP, isIPv6 } from "node:net";

const { RELAY_KEY = "", PORT = "8080", RELAY_ALLOWS_LOOPBACK } = process.env;
if (RELAY_KEY.length < 32) throw new Error("RELAY_KEY must have at least 32 characters");

/** As long as the service waits for a receiver. */
const TIMEOUT = Number(process.env.RELAY_TIMEOUT ?? 15_000);
const MAX_BODY = 256 * 1024;
/** The service shows no more of an answer. */
const MAX_ANSWER = 1024;
/** The headers of a delivery. What proxies on the way have added is not sent on. */
const SENT_ON = /^(?:content-type|user-agent|service-[a-z-]+|webhook-[a-z-]+)$/;

const inside = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
])
  inside.addSubnet(network, bits, "ipv4");
for (const [network, bits] of [
  ["::", 96],
  ["64:ff9b::", 96],
  ["64:ff9b:1::", 48],
  ["2002::", 16],
  ["fc00::", 7],
  ["fe80::", 10],
  ["ff00::", 8],
])
  inside.addSubnet(network, bits, "ipv6");

const isPublic = ({ address }) => RELAY_ALLOWS_LOOPBACK === "1" || !inside.check(address, isIPv6(address) ? "ipv6" : "ipv4");

/** Looks a host up, and refuses an address inside a network: the request then goes to the address that was checked. */
function lookUpPublic(host, options, answer) {
  lookup(host, { ...options, all: true }, (error, found) => {
    if (error !== null) return answer(error);
    const usable = found.filter(isPublic);
    const [first] = usable;
    if (first === undefined) return answer(new Error("no public address"));
    return options.all ? answer(null, usable) : answer(null, first.address, first.family);
  });
}

const isKey = (sent) => {
  const [given, own] = [Buffer.from(String(sent ?? "")), Buffer.from(RELAY_KEY)];
  return given.length === own.length && timingSafeEqual(given, own);
};

async function bodyOf(incoming) {
  const parts = [];
  let bytes = 0;
  for await (const part of incoming) {
    bytes += part.length;
    if (bytes > MAX_BODY) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Sends the request on, and answers with what the receiver did. */
function sendOn(target, headers, body) {
  return new Promise((resolve) => {
    const ask = target.protocol === "https:" ? requestHttps : requestHttp;
    const failed = (error) => resolve({ headers: { "Relay-Error": error }, body: "" });
    let onTimeout = () => failed("timeout");
    const outgoing = ask(
      target,
      { method: "POST", headers: { ...headers, "content-length": body.length }, lookup: lookUpPublic },
      (answer) => {
        const { statusCode = 0, headers: answered } = answer;
        const retryAfter = answered["retry-after"] === undefined ? {} : { "Retry-After": answered["retry-after"] };
        const done = (text) => resolve({ headers: { "Relay-Status": String(statusCode), ...retryAfter }, body: text });
        let beginning = Buffer.alloc(0);
        answer.on("data", (part) => {
          beginning = Buffer.concat([beginning, part]).subarray(0, MAX_ANSWER);
          if (beginning.length === MAX_ANSWER) answer.destroy();
        });
        answer.on("close", () => done(beginning));
        answer.on("error", () => done(beginning));
        // The status decides, whether or not the body ever ends.
        onTimeout = () => done(beginning);
      },
    );
    const timer = setTimeout(() => {
      onTimeout();
      outgoing.destroy();
    }, TIMEOUT);
    outgoing.on("close", () => clearTimeout(timer));
    outgoing.on("error", () => failed("connection"));
    outgoing.end(body);
  });
}

async function handle(incoming, outgoing) {
  const refuse = (status, text) => outgoing.writeHead(status, { "Content-Type": "text/plain" }).end(text);
  if (!isKey(incoming.headers["relay-key"])) return refuse(401, "The key is not this relay's.\n");
  const to = String(incoming.headers["relay-to"] ?? "");
  if (incoming.method !== "POST" || !URL.canParse(to) || !/^https?:$/.test(new URL(to).protocol))
    return refuse(400, "Relay-To must be a URL.\n");
  // An address is not looked up.
  const address = new URL(to).hostname.replace(/^\[|\]$/g, "");
  if (isIP(address) !== 0 && !isPublic({ address })) return refuse(400, "Relay-To must be a public host.\n");
  const body = await bodyOf(incoming);
  if (body === null) return refuse(413, "The body is too large.\n");
  const headers = Object.fromEntries(Object.entries(incoming.headers).filter(([name]) => SENT_ON.test(name)));
  const answer = await sendOn(new URL(to), headers, body);
  return outgoing.writeHead(200, answer.headers).end(answer.body);
}

const server = createServer((incoming, outgoing) => {
  // A request that is cut off harms no other.
  handle(incoming, outgoing).catch(() => outgoing.destroy());
});
server.listen(Number(PORT), () => console.log(`The relay listens on port ${server.address().port}.`));
