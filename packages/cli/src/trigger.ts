import * as z from "zod";
import { RemoteFault } from "../../../tools/cli/remote/edge.ts";
import { callPartner, type PartnerEdge } from "./edge.ts";

const sentSchema = z.looseObject({
  event: z.string(),
  attempt: z.object({ status: z.number().nullable(), error: z.string().nullable() }).nullable(),
});

/**
 * Sends an example event of the test environment, and prints what became of it: in words, or as the call's own answer
 * with `asJson`. Returns the exit code.
 */
export async function trigger(
  edgeOf: () => PartnerEdge,
  {
    event,
    known,
    set,
    asJson,
  }: { readonly event: string; readonly known: readonly string[]; readonly set: readonly string[]; readonly asJson: boolean },
): Promise<number> {
  const name = known.find((one) => one === event || one === `Processor.${event}`);
  if (name === undefined) {
    console.error(`There is no event ${event}. The events are:\n  ${known.join("\n  ")}`);
    return 2;
  }
  const strange = set.find((one) => !/^[\w.]+=/.test(one));
  if (strange !== undefined) {
    console.error(`--set takes a field and its value, such as transaction.amount=12.5, and not ${JSON.stringify(strange)}.`);
    return 2;
  }
  const fields = Object.fromEntries(set.map((one) => [one.slice(0, one.indexOf("=")), one.slice(one.indexOf("=") + 1)]));
  try {
    const sent = await callPartner(edgeOf(), "POST", "webhooks/test/test", sentSchema, { event: name, fields });
    console.log(asJson ? JSON.stringify(sent, null, 2) : `${name} ${sent.event}: ${outcomeOf(sent.attempt)}`);
    return sent.attempt === null || sent.attempt.error === null ? 0 : 1;
  } catch (thrown) {
    if (!(thrown instanceof RemoteFault)) throw thrown;
    console.error(thrown.message);
    return 1;
  }
}

function outcomeOf(attempt: z.output<typeof sentSchema>["attempt"]): string {
  if (attempt === null) return "recorded. You have registered no test webhook, so only `listen` gets it.";
  if (attempt.error === null) return `your test webhook took it (${attempt.status}).`;
  return `your test webhook did not take it (${attempt.status ?? attempt.error}). \`deliveries show\` says more.`;
}
