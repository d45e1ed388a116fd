import { rejectInput } from "../../core/errors.ts";
import type { DescribedEvent } from "../outbox/events/define-event.ts";

/** What a partner may set in an example event: values by their paths, such as `transaction.client_reference_id`. */
export type ExampleFields = Readonly<Record<string, string | number | boolean | null>>;

/** A number as a command line has it. */
const NUMBER = /^-?\d{1,15}(?:\.\d{1,6})?$/;
/** The envelope is what the event is. */
const ENVELOPE = new Set(["id", "event", "environment", "created_at", "test_event"]);

/**
 * The body of an example event with these values. A text becomes a number where the example has one.
 * @throws ServiceFailure `invalid_input` for a field that the example does not have, or a value that the event's schema does not take
 */
export function exampleWith({ name, example, schema }: DescribedEvent, fields: ExampleFields): Readonly<Record<string, unknown>> {
  const body = structuredClone(example);
  for (const [path, value] of Object.entries(fields)) {
    const [first = "", ...rest] = path.split(".");
    const last = rest.at(-1) ?? first;
    const holder = rest.length === 0 ? body : rest.slice(0, -1).reduce<unknown>(inside, inside(body, first));
    const known = inside(holder, last);
    if (ENVELOPE.has(first) || !isRecord(holder) || known === undefined || (isRecord(known) && value !== null))
      rejectInput(`fields: ${name} has no value at ${path.slice(0, 100)}; its example in the documentation shows what it has`, "fields");
    holder[last] = typeof known === "number" && typeof value === "string" && NUMBER.test(value) ? Number(value) : value;
  }
  const { error } = schema.safeParse(body);
  const [issue] = error?.issues ?? [];
  if (issue !== undefined) rejectInput(`fields: ${issue.path.join(".")}: ${issue.message}`, "fields");
  return body;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

const inside = (value: unknown, field: string): unknown => (isRecord(value) && Object.hasOwn(value, field) ? value[field] : undefined);
