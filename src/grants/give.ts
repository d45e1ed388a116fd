import { DAY } from "../core/clock.ts";
import { newId } from "../core/ids.ts";
import { limits } from "../core/limits.ts";
import type { InDirectory } from "../db/client.ts";
import { type Grant, insertGrant } from "./store.ts";

/** The choices that a person made on the consent page. */
export type Chosen = Pick<Grant, "partnerId" | "keyId" | "clientId" | "clientName" | "permissions" | "environments" | "confirmations">;

/** The end of a grant that is given now, in Unix milliseconds. */
export function endOfGrant(now: number): number {
  return now + limits.grant.days * DAY;
}

/** Gives an agent the chosen rights. The audit entry names the key, because the person who pasted it is unknown. */
export async function giveGrant({ directory, clock }: InDirectory, chosen: Chosen, requestId: string): Promise<Grant> {
  const now = clock.now();
  const grant: Grant = { ...chosen, id: newId("grant"), createdAt: now, expiresAt: endOfGrant(now), lastUsedAt: null, endedAt: null };
  await insertGrant(directory, grant, { name: `holder of ${chosen.keyId}`, requestId });
  return grant;
}
