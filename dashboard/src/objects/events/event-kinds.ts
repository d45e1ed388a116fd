import type { Schema } from "@cfworker/json-schema";
import { bodies } from "../../api/bodies.ts";
import type { paths } from "../../api/schema.d.ts";

export type EventKind = NonNullable<
  NonNullable<paths["/partner/webhooks/{webhook}/test"]["post"]["requestBody"]>["content"]["application/json"]["event"]
>;

/** The kinds of events, from the description of the call that sends an example of one. */
export const eventKinds: readonly EventKind[] = kindsIn(bodies["webhooks-test"]?.properties?.event);

function kindsIn(schema: Schema | boolean | undefined): EventKind[] {
  const found: unknown[] = typeof schema === "object" ? (schema.enum ?? []) : [];
  return found.filter((kind): kind is EventKind => typeof kind === "string");
}
