import { z } from "zod";
import { ServiceFailure } from "../core/errors.ts";
import type { Run } from "../idempotency/work.ts";
import { attributionOf } from "../processor/attribution.ts";
import { MethodRefused, type NewPaymentLink, type Processor } from "../processor/port.ts";
import { isVerifiedMethod } from "./payment-methods.ts";

export const createdLinkSchema = z.object({ id: z.string(), url: z.string(), refusedMethods: z.array(z.string()) });

/** A link as the processor made it, and the methods that it would not have (interface, operation 1, rule 5). */
export type CreatedLink = z.infer<typeof createdLinkSchema>;

/**
 * Makes the link at the processor. A method that it refuses is dropped and the call made again, under another
 * upstream key because its parameters are others; with none left the link takes `defaults`.
 * @throws ServiceFailure as the processor's, also where it refuses a method that the interface vouches for.
 */
export async function createProcessorLink(
  processor: Processor,
  run: Pick<Run<unknown>, "recordId" | "partnerId" | "deadline" | "upstreamKey">,
  link: Omit<NewPaymentLink, "metadata">,
  defaults: readonly string[],
): Promise<CreatedLink> {
  const metadata = attributionOf(run);
  const refusedMethods: string[] = [];
  let methods = link.paymentMethodTypes;
  for (;;) {
    try {
      const key = await run.upstreamKey("payment_link", refusedMethods.join());
      const created = await processor.createPaymentLink(
        { ...link, paymentMethodTypes: methods, metadata },
        { key, deadline: run.deadline },
      );
      return { ...created, refusedMethods };
    } catch (thrown) {
      if (!(thrown instanceof MethodRefused)) throw thrown;
      if (isVerifiedMethod(thrown.method) || refusedMethods.includes(thrown.method)) throw refusal(thrown);
      refusedMethods.push(thrown.method);
      const left = methods.filter((method) => method !== thrown.method);
      methods = left.length > 0 ? left : defaults.filter((method) => !refusedMethods.includes(method));
      if (methods.length === 0) throw refusal(thrown);
    }
  }
}

function refusal(cause: MethodRefused): ServiceFailure {
  const message = `the card processor does not accept the payment method ${cause.method}`;
  return new ServiceFailure({ kind: "upstream_failed", upstream: "processor", code: "payment_method_refused", message }, { cause });
}
