import * as z from "zod";
import type { ResendResult } from "../../webhooks/admin/resend.ts";
import { conflict, notFound } from "../calls/refusal.ts";
import { attemptAnswer, deliveryAnswer, viewDelivery } from "../calls/webhook-views.ts";

/** The refusal of a call about a webhook that is not registered. */
export const NO_WEBHOOK = "You have registered no webhook for this environment. `register-partner-notifications-webhook` registers one.";

/** A delivery for its partner: without the ids of partner and endpoint. */
export const deliveryView = deliveryAnswer.omit({ partner_id: true, endpoint: true });

export function viewOwnDelivery(delivery: Parameters<typeof viewDelivery>[0]): z.input<typeof deliveryView> {
  const { partner_id: _partner, endpoint: _endpoint, ...view } = viewDelivery(delivery);
  return view;
}

/** The answer to a resend. */
export const resentAnswer = z.object({
  success: z.boolean().describe("Whether your receiver accepted it"),
  event: z.string(),
  attempt: attemptAnswer.pick({ number: true, status: true, error: true, answer: true }),
});

/** @throws CallRefusal if the event was not sent. */
export function viewResent(event: string, resent: ResendResult): z.input<typeof resentAnswer> {
  switch (resent.outcome) {
    case "sent": {
      const { number, result } = resent;
      return {
        success: result.errorClass === null,
        event,
        attempt: { number, status: result.status, error: result.errorClass, answer: result.excerpt },
      };
    }
    case "in_progress":
      return conflict("An attempt to deliver this event is in progress. Look at its result in a few seconds.");
    case "no_endpoint":
      return conflict("You have registered no webhook for this environment. Register one, then resend the event.");
    case "held":
      return conflict("Support suspended this webhook: nothing is sent to it. `GET /partner/webhooks` says since when.");
    case "unknown_event":
      return notFound("You have no such event. It has expired.");
  }
}
