import type { EventKind } from "../objects/events/event-kinds.ts";

/** What a person says of a webhook that is added. No kinds: it gets all, those that come later too. */
export interface Terms {
  readonly name: string;
  readonly webhook_url: string;
  readonly kinds: readonly EventKind[];
}

/** The body of the call that adds a webhook. */
export const bodyOf = ({ name, webhook_url, kinds }: Terms) => ({ name, webhook_url, events: kinds.length === 0 ? null : [...kinds] });

/** The body of the call that changes a webhook: what differs alone, so that a new name leaves the kinds as they are. */
export function changesOf(before: Terms, wanted: Terms) {
  const { name, webhook_url, events } = bodyOf(wanted);
  const isSame = before.kinds.length === wanted.kinds.length && before.kinds.every((kind) => wanted.kinds.includes(kind));
  return {
    ...(name !== before.name && { name }),
    ...(webhook_url !== before.webhook_url && { webhook_url }),
    ...(!isSame && { events }),
  };
}
