import { z } from "zod";
import { sha256Hex } from "../core/digest.ts";
import { canonicalJson } from "../core/json.ts";
import type { Run } from "../idempotency/work.ts";

/** What a run must offer so that a payment can be opened in it. */
export type OpeningRun = Pick<
  Run<unknown>,
  "recordId" | "partnerId" | "createdAt" | "deadline" | "resumed" | "failedAttempts" | "step" | "made"
>;

/** The payments that the bank held under an id, as a step of a run. */
export const heldSchema = z.object({ bankPaymentIds: z.array(z.string()) });

/** The step that says what is to be taken back of the order's n-th id, so that the id is spent. */
export const takingBack = (number: number) => `taking_back_${number}`;

/** Which id the order goes by now, counted from 1. */
export function numberOf(run: OpeningRun): number {
  let number = 1;
  while (run.made(takingBack(number), heldSchema) !== undefined) number += 1;
  return number;
}

/**
 * The order's n-th id, 32 characters. A record that begins anew after a result stands for another request, and has other
 * ids.
 */
export async function orderIdOf({ recordId, createdAt }: OpeningRun, number: number): Promise<string> {
  return (await sha256Hex(canonicalJson([recordId, createdAt, number]))).slice(0, 32);
}
