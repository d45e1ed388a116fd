import type { Cell } from "../../db/client.ts";
import { type SendDeps, signedHeaders } from "../delivery/send.ts";
import { validSecretsOf } from "../endpoints/secrets-store.ts";
import { findEndpoint } from "../endpoints/store.ts";

/** An event with the text of its body. */
interface SignedEvent {
  readonly eventId: string;
  readonly endpointId: string;
  readonly name: string;
  readonly attempts: number;
  readonly body: string;
}

/**
 * The URL of an event's endpoint, and the headers that its next attempt would have now. Null if the partner has no
 * endpoint, or it is a channel, or no secret that can be decrypted. `db` is the partner's current cell.
 */
export async function signedNow(
  deps: Pick<SendDeps, "clock" | "log" | "secretCipher">,
  db: Cell,
  event: SignedEvent,
): Promise<{ readonly url: string | null; readonly headers: Record<string, string> | null }> {
  const endpoint = await findEndpoint(db, event.endpointId);
  // A channel gets a message, and nothing that is signed.
  if (endpoint === undefined || endpoint.channel !== null) return { url: null, headers: null };
  const encryptedSecrets = await validSecretsOf(db, event.endpointId, deps.clock.now());
  return { url: endpoint.url, headers: await signedHeaders(deps, { ...event, number: event.attempts + 1, encryptedSecrets }) };
}
