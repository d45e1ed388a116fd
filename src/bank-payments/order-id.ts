import * as z from "zod";
import { requireIdCode } from "../core/cell-code.ts";
import { sha256Hex } from "../core/digest.ts";
import { canonicalJson } from "../core/json.ts";
import type { Run } from "../idempotency/workflow.ts";

/** The part of a run that opening a payment needs. */
export type OpeningRunContext = Pick<
  Run<unknown>,
  "recordId" | "partnerId" | "actor" | "createdAt" | "budget" | "resumed" | "failedAttempts" | "step" | "stepOutput"
>;

/** The output of the step that stores which payments the bank had under an order id. */
export const storedPaymentsSchema = z.object({ bankPaymentIds: z.array(z.string()) });

/** The step that stores the payments to cancel under the order's n-th id. After it, this id is not used again. */
export const cancellationStartedStep = (number: number) => `cancellation_started_${number}`;

/** The number of the order's current id, counted from 1. */
export function currentOrderIdNumber(run: OpeningRunContext): number {
  let number = 1;
  while (run.stepOutput(cancellationStartedStep(number), storedPaymentsSchema) !== undefined) number += 1;
  return number;
}

/**
 * The order's n-th id, 32 characters: the bank allows 36. It begins with the record's code, so that a notification
 * finds its payment. A record that starts over after a result stands for a new request and has new ids.
 */
export async function orderIdOf(
  { recordId, createdAt }: Pick<OpeningRunContext, "recordId" | "createdAt">,
  number: number,
): Promise<string> {
  const hash = await sha256Hex(canonicalJson([recordId, createdAt, number]));
  return `${requireIdCode(recordId)}${hash.slice(0, 30)}`;
}
