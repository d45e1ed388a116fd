import { z } from "zod";
import { ServiceFailure } from "../core/errors.ts";
import type { Run } from "../idempotency/work.ts";
import { attributionOf } from "../processor/attribution.ts";
import { type KeyedRun, makeOrFind } from "../processor/make-or-find.ts";
import { MethodsRefused, type NewPaymentLink, type Processor } from "../processor/port.ts";
import { FALLBACK_METHODS, isVerifiedMethod } from "./payment-methods.ts";

export const createdLinkSchema = z.object({ id: z.string(), url: z.string(), refusedMethods: z.array(z.string()) });

/** A link as the processor made it, and the methods that it would not have (interface, operation 1, rule 5). */
export type CreatedLink = z.infer<typeof createdLinkSchema>;

const STEP = "payment_link";
const REFUSED = "refused_methods";
const refusedSchema = z.array(z.string());

type LinkRun = Pick<Run<unknown>, "recordId" | "partnerId" | "begunAt"> & KeyedRun;

/**
 * Makes the link at the processor. Methods that it refuses are dropped and the call made again, under another
 * upstream key because its parameters are others; with none left the link takes `defaults`. Each refusal is noted
 * before the next call, so that a resumed run goes the same way and never asks under an earlier key again.
 * @throws ServiceFailure as the processor's, also where it refuses a method that the interface vouches for.
 */
export async function createProcessorLink(
  processor: Processor,
  run: LinkRun,
  link: Omit<NewPaymentLink, "metadata">,
  defaults: readonly string[],
): Promise<CreatedLink> {
  const metadata = attributionOf(run);
  const refusedMethods = run.recall(REFUSED, refusedSchema) ?? [];
  for (;;) {
    const paymentMethodTypes = methodsLeft(link.paymentMethodTypes, defaults, refusedMethods);
    try {
      const created = await makeOrFind(
        run,
        { step: STEP, variant: refusedMethods.join() },
        (key) => processor.createPaymentLink({ ...link, paymentMethodTypes, metadata }, { key, deadline: run.deadline }),
        () => processor.findPaymentLink(metadata, run),
      );
      return { ...created, refusedMethods };
    } catch (thrown) {
      if (!(thrown instanceof MethodsRefused)) throw thrown;
      const dropped = thrown.methods.filter((method) => !isVerifiedMethod(method) && !refusedMethods.includes(method));
      if (dropped.length === 0) throw refusal(thrown);
      refusedMethods.push(...dropped);
      await run.note(REFUSED, refusedMethods);
    }
  }
}

function methodsLeft(wanted: readonly string[], defaults: readonly string[], refused: readonly string[]): readonly string[] {
  const left = wanted.filter((method) => !refused.includes(method));
  if (left.length > 0) return left;
  const fallback = defaults.filter((method) => !refused.includes(method));
  return fallback.length > 0 ? fallback : FALLBACK_METHODS;
}

function refusal(cause: MethodsRefused): ServiceFailure {
  const message = `the card processor does not accept the payment method ${cause.methods.join(", ")}`;
  return new ServiceFailure({ kind: "upstream_failed", upstream: "processor", code: "payment_method_refused", message }, { cause });
}
