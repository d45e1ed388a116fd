import { z } from "zod";
import { isoTime } from "../../../core/clock.ts";
import { type Environment, environmentSchema } from "../../../core/environment.ts";
import { newId } from "../../../core/ids.ts";

/** The partner that an event goes to, and the environment whose endpoint gets it. */
export interface Recipient {
  readonly partnerId: string;
  readonly environment: Environment;
}

/** Only {@link defineEvent} makes one, so every event in the outbox has a definition. */
class DefinedEvent {
  readonly id: string;
  readonly name: string;
  readonly recipient: Recipient;
  /** One key makes one event, however often its cause is processed. */
  readonly deduplicationKey: string;
  readonly #payload: object;

  constructor(name: string, recipient: Recipient, deduplicationKey: string, payload: object) {
    this.id = newId("evt");
    this.name = name;
    this.recipient = recipient;
    this.deduplicationKey = deduplicationKey;
    this.#payload = payload;
  }

  /** The text that is signed and sent, the same at every attempt. `createdAt` in Unix milliseconds. */
  bodyAt(createdAt: number): string {
    const { id, name, recipient } = this;
    return JSON.stringify({ id, event: name, environment: recipient.environment, created_at: isoTime(createdAt), ...this.#payload });
  }
}

/** An event for a partner, not yet recorded. */
export type PartnerEvent = DefinedEvent;

/** The only definition of an event: the outbox, the API description, the documentation and the tests use it. */
interface Definition<Payload extends z.ZodRawShape, Facts> {
  readonly name: string;
  /** One line, for a table of events. */
  readonly summary: string;
  /** The event's own fields, beside the envelope. */
  readonly payload: Payload;
  readonly example: z.infer<z.ZodObject<Payload>>;
  readonly recipientOf: (facts: Facts) => Recipient;
  readonly deduplicationKeyOf: (facts: Facts) => string;
  readonly view: (facts: Facts) => z.infer<z.ZodObject<Payload>>;
}

/** An event as the description and the tests need it. */
export interface DescribedEvent {
  readonly name: string;
  readonly summary: string;
  /** The whole body: envelope and payload. */
  readonly schema: z.ZodObject;
  readonly example: Readonly<Record<string, unknown>>;
}

export interface EventDefinition<Facts> extends DescribedEvent {
  make(facts: Facts): PartnerEvent;
}

const EXAMPLE_ENVELOPE = { id: "evt_5b0c6a7f0d3e4a51a3f1c2d4e5f60718", environment: "live", created_at: "2026-11-20T08:30:00.000Z" };

export function defineEvent<Payload extends z.ZodRawShape, Facts>(definition: Definition<Payload, Facts>): EventDefinition<Facts> {
  const { name, summary, payload, example, recipientOf, deduplicationKeyOf, view } = definition;
  const { id, ...envelope } = EXAMPLE_ENVELOPE;
  return {
    name,
    summary,
    schema: z.object({
      id: z
        .string()
        .regex(/^evt_[0-9a-f]{32}$/)
        .describe("The same at every attempt: tell doubles apart by it"),
      event: z.literal(name),
      environment: environmentSchema,
      created_at: z.iso.datetime(),
      ...payload,
    }),
    example: { id, event: name, ...envelope, ...example },
    make: (facts) => new DefinedEvent(name, recipientOf(facts), deduplicationKeyOf(facts), view(facts)),
  };
}
