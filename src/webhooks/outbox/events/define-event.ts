import * as z from "zod";
import type { IdCode } from "../../../core/cell-code.ts";
import { sha256Hex } from "../../../core/digest.ts";
import { type Environment, environmentSchema } from "../../../core/environment.ts";
import type { channels } from "../../../db/schema/webhooks.ts";

/** How people get a message about an event. */
type Channel = (typeof channels)[number];
/** The channels of a chat, and those of a chat and of e-mail. */
export const TO_CHAT: readonly Channel[] = ["chat", "telegram"];
export const TO_PEOPLE: readonly Channel[] = [...TO_CHAT, "email"];

/** The partner that receives an event, and the environment of its endpoint. */
export interface Recipient {
  readonly partnerId: string;
  readonly environment: Environment;
}

/** Only {@link defineEvent} creates one, so every event in the outbox has a definition. */
class DefinedEvent {
  /** Derived from the cause: one cause makes one event, however often it is processed. */
  readonly id: string;
  readonly cause: string;
  readonly name: string;
  readonly recipient: Recipient;
  /** Its name without the family, as listed in the row that caused it. */
  readonly kind: string;
  /** JSON of the event's own fields. */
  readonly payload: string;
  /** The id of the endpoint that the event is about, which does not get it; null: all endpoints get it. */
  readonly about: string | null;
  /** By which channels people get a message about it. */
  readonly channels: readonly Channel[];

  constructor(
    id: string,
    cause: string,
    name: string,
    recipient: Recipient,
    payload: object,
    { about, channels: by }: { readonly about: string | null; readonly channels: readonly Channel[] },
  ) {
    this.id = id;
    this.cause = cause;
    this.name = name;
    this.kind = name.slice(name.indexOf(".") + 1);
    this.recipient = recipient;
    this.payload = JSON.stringify(payload);
    this.about = about;
    this.channels = by;
  }
}

/** An event for a partner, not yet recorded. */
export type PartnerEvent = DefinedEvent;

/** The id of the event with this cause. It starts with the partner's id code. */
async function eventIdOf(code: IdCode, { partnerId, environment }: Recipient, cause: string): Promise<string> {
  return `evt_${code}${(await sha256Hex(`${partnerId} ${environment} ${cause}`)).slice(0, 30)}`;
}

/** The only definition of an event: the outbox, the API description, the documentation and the tests use it. */
interface EventParts<Payload extends z.ZodRawShape, Facts extends Recipient> {
  readonly name: string;
  /** One line, for a table of events. */
  readonly summary: string;
  /** The event's own fields, besides the envelope. */
  readonly payload: Payload;
  readonly example: z.infer<z.ZodObject<Payload>>;
  /** The name of the cause: one cause makes one event. */
  readonly causeOf: (facts: Facts) => string;
  readonly view: (facts: Facts) => z.infer<z.ZodObject<Payload>>;
  /** The id of the endpoint that the event is about: only the others get it. */
  readonly aboutOf?: (facts: Facts) => string;
  /** By which channels people get a message about it; left out: by none. */
  readonly channels?: readonly Channel[];
}

/** An event for the description and the tests. */
export interface DescribedEvent {
  readonly name: string;
  readonly summary: string;
  readonly channels: readonly Channel[];
  /** The whole body: envelope and payload. */
  readonly schema: z.ZodObject;
  readonly example: Readonly<Record<string, unknown>>;
}

export interface EventDefinition<Facts> extends DescribedEvent {
  /** Builds the event for the partner with this id code. */
  make(code: IdCode, facts: Facts): Promise<PartnerEvent>;
  /** The event id for these facts, whether or not it was recorded. */
  idOf(code: IdCode, facts: Facts): Promise<string>;
}

const EXAMPLE_ENVELOPE = { id: "evt_015b0c6a7f0d3e4a51a3f1c2d4e5f607", environment: "live", created_at: "2026-11-20T08:30:00.000Z" };

export function defineEvent<Payload extends z.ZodRawShape, Facts extends Recipient>(
  definition: EventParts<Payload, Facts>,
): EventDefinition<Facts> {
  const { name, summary, payload, example, causeOf, view, aboutOf, channels: by = [] } = definition;
  const { id, ...envelope } = EXAMPLE_ENVELOPE;
  return {
    name,
    summary,
    channels: by,
    schema: z.object({
      id: z
        .string()
        .regex(/^evt_[0-9a-z]{2}[0-9a-f]{30}$/)
        .describe("The same in every attempt: recognise duplicates by it"),
      event: z.literal(name),
      environment: environmentSchema,
      created_at: z.iso.datetime(),
      test_event: z.literal(true).optional().describe("Only in an example event that you sent to yourself: nothing happened"),
      ...payload,
    }),
    example: { id, event: name, ...envelope, ...example },
    idOf: (code, facts) => eventIdOf(code, facts, causeOf(facts)),
    async make(code, facts) {
      const { partnerId, environment } = facts;
      const cause = causeOf(facts);
      const sent = { about: aboutOf?.(facts) ?? null, channels: by };
      return new DefinedEvent(await eventIdOf(code, facts, cause), cause, name, { partnerId, environment }, view(facts), sent);
    },
  };
}
