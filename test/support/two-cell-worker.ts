import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { buildDeps } from "../../src/build-deps.ts";
import type { DatabaseName } from "../../src/core/cell-code.ts";
import type { Deps } from "../../src/deps.ts";
import type { KeyRequest } from "../../src/idempotency/answer.ts";
import { processSubject } from "../../src/ledger/processor-events.ts";
import { KeyRunners } from "../../src/runners/key-runners.ts";
import { CART, cart, keys, LINK, link } from "./api.ts";
import { buildApp } from "./app.ts";
import { ONE_CELL } from "./cells.ts";
import { EDGE, settled, world } from "./stack.ts";

/** A Worker with two cells, the second of which is `SECOND_CELL`. */

/** The objects of keys of a Worker that has both cells. */
export const objects = new Map<string, KeyRunners>();
const OPERATIONS = {
  idFromName: (name: string) => name,
  get(name: string) {
    const runners = objects.get(name) ?? new KeyRunners(deps);
    objects.set(name, runners);
    return {
      handle: (request: KeyRequest) => runners.handle(request),
    };
  },
};
/** Messages about events of the processor, in their order. The queues of the Worker itself would have them worked off by one that has one cell. */
const messages: { databaseName: DatabaseName; id: string }[] = [];
const PROCESSOR_EVENTS = {
  sendBatch: async (batch: readonly { body: { databaseName: DatabaseName; id: string } }[]) =>
    void messages.push(...batch.map(({ body }) => body)),
};
const DELIVERIES = { sendBatch: async () => undefined };
export const deps: Deps = buildDeps({ ...ONE_CELL, CELL_2: env.SECOND_CELL, OPERATIONS, PROCESSOR_EVENTS, DELIVERIES } as never);
const serve = buildApp(deps);

/** Processes all events that the processor has sent so far. */
export async function workOff(): Promise<void> {
  await settled();
  for (let message = messages.shift(); message !== undefined; message = messages.shift()) {
    await processSubject(deps.inDatabase(message.databaseName), message.id);
  }
}

/** From now on the sandbox sends its events to this Worker, and not to the one with one cell. */
export function connectToSandbox(): void {
  const { fetch } = world;
  Object.assign(world, {
    fetch: (url: string, init: RequestInit) => (url.startsWith(EDGE) ? ask(url, init) : fetch(url, init)),
  });
}

export async function ask(url: string, init: RequestInit = {}): Promise<Response> {
  const context = createExecutionContext();
  const response = await serve(new Request(url, { redirect: "manual", ...init }), context);
  await waitOnExecutionContext(context);
  return response;
}

export async function post(path: string, body: object): Promise<any> {
  const headers = { "Content-Type": "application/json", "X-Partner-Api-Key": keys.acme };
  return (await ask(`${EDGE}${path}`, { method: "POST", headers, body: JSON.stringify(body) })).json();
}

export const second = (body: object) => post(`/${CART}`, { ...cart(), ...body });
export const first = (key: string) => post(`/webhook/${LINK}`, link({ idempotency_key: key, api_key: keys.acme }));

/** An operators' call. */
export async function ops(path: string, body?: object): Promise<{ status: number; body: any }> {
  const headers = { "Content-Type": "application/json", Authorization: "Bearer ops-local", "X-Operator": "Anna" };
  const init = body === undefined ? { headers } : { headers, method: "POST", body: JSON.stringify(body) };
  const response = await ask(`${EDGE}/ops/${path}`, init);
  return { status: response.status, body: await response.json() };
}
