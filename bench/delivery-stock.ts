import { localSecrets, localVars } from "../sandbox/local-settings.ts";
import { cellCodeOf, newIdCode } from "../src/core/cell-code.ts";
import { endpointIdOf } from "../src/core/ids.ts";
import { createSecretCipher, newSigningSecret } from "../src/core/secret-cipher.ts";
import { connectCell, connectDirectory, runBatch } from "../src/db/client.ts";
import { insertRows } from "../src/db/insert-rows.ts";
import { events, partners } from "../src/db/schema/index.ts";
import { readSettings } from "../src/settings.ts";
import { bodyOf } from "../src/views/event-body.ts";
import { exampleMovement } from "../src/views/transaction.ts";
import { insertFirstSecret } from "../src/webhooks/endpoints/secrets-store.ts";
import { upsertEndpoint } from "../src/webhooks/endpoints/store.ts";
import { transactionEvents } from "../src/webhooks/outbox/events/transaction-events.ts";
import { recordEvent } from "../src/webhooks/outbox/store.ts";
import { HANGING } from "./receivers.ts";
import type { Runtime } from "./runtime.ts";

/** The databases that are filled. */
type Databases = Pick<Runtime, "directory" | "cell">;

export const CELL = cellCodeOf(1);
const ENDPOINTS = 20;
/** The maximum number of messages per send, and of statements per batch. */
export const MOST_AT_ONCE = 100;

interface BenchEndpoint {
  readonly partnerId: string;
  readonly url: string;
  readonly secret: string;
}

/**
 * Partners with one endpoint each. Each measurement has new ones: an endpoint that hung is treated differently for a
 * while.
 */
export async function register(
  runtime: Databases,
  receiver: string,
  name: string,
  isHanging: (index: number) => boolean,
): Promise<BenchEndpoint[]> {
  const [directory, cell] = [connectDirectory(runtime.directory), connectCell(runtime.cell)];
  const vars = localVars({ edge: "http://localhost", processor: receiver, bank: receiver });
  const secretCipher = createSecretCipher(readSettings({ ...vars, ...localSecrets }).encryptionKeys);
  const endpoints = Array.from({ length: ENDPOINTS }, (_, index) => ({
    partnerId: `bench-${name}-${index}`,
    url: `${receiver}${isHanging(index) ? HANGING : "/hook/"}${index}`,
    secret: newSigningSecret("test"),
  }));
  const rows = endpoints.map(({ partnerId: id }) => ({ id, name: id, cell: CELL, idCode: newIdCode(CELL), createdAt: 0 }));
  await runBatch(directory, [insertRows(directory, partners, rows)]);
  const registered = await Promise.all(
    endpoints.map(async ({ partnerId, url, secret }) => {
      const endpointId = endpointIdOf(partnerId, "test");
      const encrypted = await secretCipher.encrypt(secret, endpointId);
      return [
        ...upsertEndpoint(cell, { partnerId, environment: "test", url }, 0),
        insertFirstSecret(cell, endpointId, { id: `secret_${partnerId}`, encrypted }, 0),
      ];
    }),
  );
  await runBatch(cell, registered.flat());
  return endpoints;
}

/** Undelivered events for these endpoints in turn. Returns their ids. */
export async function recordEvents(runtime: Databases, endpoints: readonly BenchEndpoint[], count: number): Promise<string[]> {
  const cell = connectCell(runtime.cell);
  const now = Date.now();
  const made = await Promise.all(
    Array.from({ length: count }, (_, index) => {
      const { partnerId = "" } = endpoints[index % endpoints.length] ?? {};
      const id = `processor:txn_${crypto.randomUUID()}`;
      return transactionEvents.paymentSucceeded.make(newIdCode(CELL), {
        ...exampleMovement,
        id,
        partnerId,
        environment: "test",
        discount: null,
        dispute: null,
      });
    }),
  );
  for (const batch of chunksOf(made, MOST_AT_ONCE))
    await runBatch(
      cell,
      batch.map((event) => recordEvent(cell, event, now)),
    );
  return made.map(({ id }) => id);
}

/** The body of one event: all have the same length. */
export async function bodyOfOne(runtime: Runtime): Promise<string> {
  const [event] = await connectCell(runtime.cell).select().from(events).limit(1);
  if (event === undefined) throw new Error("no event was recorded");
  return bodyOf(event);
}

export function chunksOf<One>(all: readonly One[], size: number): One[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size));
}
