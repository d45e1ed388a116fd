import * as z from "zod";
import { ServiceFailure } from "../core/errors.ts";
import type { Run } from "../idempotency/workflow.ts";
import { attributionOf } from "../processor/attribution-metadata.ts";
import { createOrFind, hasAbandonedKeys, type IdempotentRun } from "../processor/create-or-find.ts";
import type { SearchRange } from "../processor/find-attributed.ts";
import { type NewPaymentLink, PaymentMethodsRefused } from "../processor/port.ts";
import type { Processor } from "../processor/processor.ts";
import { FALLBACK_METHODS, isPossibleOnLinks, isVerifiedMethod } from "./payment-methods.ts";

export const createdLinkSchema = z.object({ id: z.string(), url: z.string(), refusedMethods: z.array(z.string()) });

/** A link created at the processor, and the payment methods that it refused (interface L.9). */
export type CreatedLink = z.infer<typeof createdLinkSchema>;

const STEP = "payment_link";
const REFUSED = "refused_methods";
const refusedSchema = z.array(z.string());

type LinkRun = Pick<Run<unknown>, "recordId" | "partnerId" | "begunAt"> & IdempotentRun;

/**
 * The maximum number of calls that may be refused for their methods. After them, all methods without a guarantee are
 * dropped at once.
 */
const MAX_REFUSALS = 2;

/**
 * Creates the link at the processor, without the payment methods that no link supports. Refused methods are dropped
 * too, and the call is repeated under another upstream key, because its parameters have changed. After {@link
 * MAX_REFUSALS} calls, all methods that are only passed through are dropped, so that the number of calls is bounded. If
 * no method is left, the link uses `defaults`. Each refusal is stored before the next call, so that a resumed run takes
 * the same path and never reuses an earlier key. `searchRange` is where to search for a link that an earlier call may
 * have created.
 * @throws ServiceFailure from the processor, also if it refuses a method that the interface guarantees.
 */
export async function createProcessorLink(
  processor: Processor,
  run: LinkRun,
  link: Omit<NewPaymentLink, "metadata">,
  { defaults, searchRange }: { readonly defaults: readonly string[]; readonly searchRange: () => Promise<SearchRange> },
): Promise<CreatedLink> {
  const metadata = attributionOf(run);
  const refusedMethods = run.readNote(REFUSED, refusedSchema) ?? link.paymentMethodTypes.filter((method) => !isPossibleOnLinks(method));
  for (let refusals = 1; ; refusals += 1) {
    const paymentMethodTypes = remainingMethods(link.paymentMethodTypes, defaults, refusedMethods);
    try {
      const created = await createOrFind(
        run,
        { step: STEP, variant: refusedMethods.join() },
        (call) => processor.createPaymentLink({ ...link, paymentMethodTypes, metadata }, call),
        async () => processor.findPaymentLink(metadata, await searchRange(), run),
      );
      return { ...created, refusedMethods };
    } catch (thrown) {
      if (!(thrown instanceof PaymentMethodsRefused)) throw thrown;
      const isDroppable = (method: string) => !isVerifiedMethod(method) && !refusedMethods.includes(method);
      const refused = thrown.methods.filter(isDroppable);
      if (refused.length === 0) throw toServiceFailure(thrown, hasAbandonedKeys(run, STEP));
      const dropped = refusals < MAX_REFUSALS ? refused : paymentMethodTypes.filter(isDroppable);
      refusedMethods.push(...dropped);
      await run.saveNote(REFUSED, refusedMethods);
    }
  }
}

/** The methods of a link that the processor did not refuse: of the requested ones, else of the default set. */
export function remainingMethods(wanted: readonly string[], defaults: readonly string[], refused: readonly string[]): readonly string[] {
  const left = wanted.filter((method) => !refused.includes(method));
  if (left.length > 0) return left;
  const fallback = defaults.filter((method) => !refused.includes(method));
  return fallback.length > 0 ? fallback : FALLBACK_METHODS;
}

/** @param isUncertain whether an earlier call may have created a link. */
function toServiceFailure({ methods, cause }: PaymentMethodsRefused, isUncertain: boolean): ServiceFailure {
  const said = cause instanceof ServiceFailure && cause.error.kind === "upstream_failed" ? ` (${cause.error.message})` : "";
  const message = `the card processor does not accept the payment method ${methods.join(", ")}${said}`;
  const sideEffects = isUncertain ? "unknown" : "none";
  return new ServiceFailure(
    { kind: "upstream_failed", upstream: "processor", code: "payment_method_refused", message },
    { sideEffects, cause },
  );
}
