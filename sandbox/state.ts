import * as z from "zod";
import { jsonObjectSchema } from "../src/core/json.ts";

/** The sandbox's whole state: plain JSON, so that it can be saved and survives a restart. */
const processorObjectSchema = z.looseObject({
  id: z.string(),
  object: z.string(),
  /** Unix seconds. */
  created: z.number(),
  livemode: z.boolean(),
});

const faultSchema = z.object({
  target: z.enum(["processor", "bank"]),
  call: z.string(),
  times: z.int().positive(),
  kind: z.enum(["http_500", "http_429", "http_400", "http_403", "timeout", "reset", "reset_after", "refuse_method", "bank_error"]),
  ms: z.int().nonnegative().optional(),
  method: z.string().optional(),
  retry_after: z.number().optional(),
  /** The bank's own code, for `bank_error`. */
  error_code: z.string().optional(),
  /** Whether the failure is stored under the call's idempotency key, as the processor may do with a 500. */
  stored: z.boolean().optional(),
});

const eventSettingsSchema = z.object({
  hold: z.boolean(),
  duplicate: z.int().nonnegative(),
  shuffle: z.boolean(),
  held: z.array(z.string()),
});

const inboxSchema = z.object({
  answer: z.object({ status: z.int(), times: z.int().nullable(), delay_ms: z.int() }),
  received: z.array(z.object({ at: z.number(), headers: z.record(z.string(), z.string()), body: z.string(), answered: z.int() })),
});

const stateSchema = z.object({
  sequence: z.int(),
  objects: z.record(z.string(), processorObjectSchema),
  /** Ids in the order of creation, by the kind of object. */
  order: z.record(z.string(), z.array(z.string())),
  /** A payment link's lines, by the link's id. */
  lines: z.record(z.string(), z.array(jsonObjectSchema)),
  keys: z.record(z.string(), z.object({ parameters: z.string(), status: z.int(), body: z.string(), at: z.number() })),
  faults: z.array(faultSchema),
  requests: z.array(
    z.object({
      target: z.enum(["processor", "bank"]),
      at: z.number(),
      method: z.string(),
      path: z.string(),
      idempotency_key: z.string().nullable(),
      body: z.string(),
      /** The environment of the sent key; false for the bank. */
      livemode: z.boolean(),
      status: z.int().nullable(),
    }),
  ),
  /** Signing secrets that the user entered, for verifying deliveries. */
  secrets: z.array(z.string()),
  inboxes: z.record(z.string(), inboxSchema),
  /** Openings of short links, oldest first. */
  points: z.array(z.object({ dataset: z.string(), slug: z.string(), at: z.number() })).default([]),
  events: z.object({ live: eventSettingsSchema, test: eventSettingsSchema }),
});

export type SandboxState = z.infer<typeof stateSchema>;
export type ProcessorObject = z.infer<typeof processorObjectSchema>;
export type Fault = z.infer<typeof faultSchema>;
export type Inbox = z.infer<typeof inboxSchema>;
export { faultSchema };

export function emptyState(): SandboxState {
  return {
    sequence: 0,
    objects: {},
    order: {},
    lines: {},
    keys: {},
    faults: [],
    requests: [],
    secrets: [],
    inboxes: {},
    points: [],
    events: { live: sendAtOnce(), test: sendAtOnce() },
  };
}

function sendAtOnce() {
  return { hold: false, duplicate: 0, shuffle: false, held: [] };
}

/** Parses a saved state; null if it has another version: then the sandbox starts empty. */
export function readState(text: string): SandboxState | null {
  try {
    return stateSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
