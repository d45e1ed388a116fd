import { isoTime } from "../core/clock.ts";
import type { Environment } from "../core/environment.ts";
import { eventInDelivery } from "../core/ids.ts";

/** A recorded event, or one of its deliveries. `createdAt` in Unix milliseconds. */
interface RecordedEvent {
  readonly id: string;
  readonly name: string;
  readonly environment: Environment;
  readonly createdAt: number;
  readonly payload: string;
}

/** The text that is signed and sent, the same at every attempt: the envelope, then the event's own fields. */
export function bodyOf({ id, name, environment, createdAt, payload }: RecordedEvent): string {
  const envelope = JSON.stringify({ id: eventInDelivery(id), event: name, environment, created_at: isoTime(createdAt) });
  return `${envelope.slice(0, -1)},${payload.slice(1)}`;
}
