import { exports } from "cloudflare:workers";
import { buildSandbox } from "../../sandbox/app.ts";
import { emptyState } from "../../sandbox/state.ts";
import { isCut, type World } from "../../sandbox/world.ts";
import { systemClock } from "../../src/core/clock.ts";
import { objectAtWork, report } from "./observe.ts";
import { takesOneMillisecond, waitVirtually } from "./virtual-time.ts";

/**
 * The Worker under test and, over its `fetch`, the sandbox: the same code that `npm run dev` starts as a server.
 * Nothing of ours is replaced; only the network is.
 */
export const EDGE = "http://localhost:8787";
export const SANDBOX = "http://sandbox.test:8788";

export const world: World = {
  state: emptyState(),
  clock: systemClock,
  origin: SANDBOX,
  edge: EDGE,
  // A test that is about late transactions asks for them.
  balanceDelay: 0,
  eventSecrets: { live: "whsec_sandbox_live", test: "whsec_sandbox_test" },
  fetch: (url, init) => route(new Request(url, init)),
  later(delay, ofFile) {
    const own = file;
    const task = () => (own === file ? ofFile() : Promise.resolve());
    // What an operation object sets going is none of its own doing, so a test does it when it is settled. So is what
    // comes a minute later or more.
    if (objectAtWork() || delay >= 60_000) afterwards.push(task);
    else later.push(new Promise((resolve) => setTimeout(resolve, delay)).then(task));
  },
  wait: waitVirtually,
};

const sandbox = buildSandbox(world);
const later: Promise<void>[] = [];
const afterwards: (() => Promise<void>)[] = [];

/** Test files share a worker. What the sandbox was to do later for an earlier file, it does not do any more. */
let file = 0;

/** A plain function: a spy would keep every request and answer of a run. */
export function connectSandbox(): void {
  file += 1;
  globalThis.fetch = (input, init) => route(new Request(input, init));
}

/** Waits for what the sandbox does later, such as a balance transaction that comes late. */
export async function settled(): Promise<void> {
  for (const task of afterwards.splice(0)) await task();
  await Promise.all(later.splice(0));
}

async function route(request: Request): Promise<Response> {
  const { origin } = new URL(request.url);
  if (origin === EDGE) return wholly(await exports.default.fetch(request));
  if (origin !== SANDBOX) throw new TypeError(`no such host in the tests: ${origin}`);
  const reach = () =>
    takesOneMillisecond(async () => {
      const response = await sandbox.fetch(request);
      if (isCut(response)) throw new TypeError("Network connection lost.");
      return response;
    });
  const { pathname } = new URL(request.url);
  const upstream = pathname.startsWith("/v1/") ? "processor" : pathname.startsWith("/v2/") ? "bank" : null;
  const answer = upstream === null ? reach() : report(upstream, reach);
  return untilAborted(request.signal, answer as Promise<Response>);
}

/** An answer read to its end, whatever becomes of it: the runtime does not end while one is left unread. */
async function wholly(answer: Response): Promise<Response> {
  const body = await answer.arrayBuffer();
  return new Response(body.byteLength === 0 ? null : body, answer);
}

function untilAborted(signal: AbortSignal, answer: Promise<Response>): Promise<Response> {
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  aborted.catch(() => undefined);
  return Promise.race([answer, aborted]);
}

/** A call of the sandbox's control address. */
export async function control<Answer>(path: string, body?: object, method = body === undefined ? "GET" : "POST"): Promise<Answer> {
  const response = await sandbox.request(`${SANDBOX}/control${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } }),
  });
  if (!response.ok) throw new Error(`control${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Answer;
}

export async function objects(type: string): Promise<{ id: string; [field: string]: unknown }[]> {
  return (await control<{ data: { id: string }[] }>(`/objects?type=${type}`)).data;
}

interface LoggedCall {
  method: string;
  path: string;
  status: number | null;
  idempotency_key: string | null;
  body: string;
}

export async function processorCalls(since = 0): Promise<LoggedCall[]> {
  return control(`/requests?target=processor&since=${since}`);
}

export async function bankCalls(since = 0): Promise<LoggedCall[]> {
  return control(`/requests?target=bank&since=${since}`);
}
