import { Text } from "@mantine/core";
import { momentText } from "./moment-text.ts";
import { inShownZone } from "./time-zone.ts";

const toTheSecond = inShownZone({ dateStyle: "medium", timeStyle: "medium" });
const exact = inShownZone({ dateStyle: "full", timeStyle: "long" });

/**
 * A time of the Worker (ISO 8601) in the partner's time zone, which is also that of the filters, reports and files; UTC is in its
 * title. Without a component of the library: a page of a list has hundreds.
 */
export function MomentText({ at, hasSeconds = false }: { readonly at: string; readonly hasSeconds?: boolean }) {
  return (
    <time className="moment" dateTime={at} title={`${exact(at)} · ${utc(at)}`}>
      {hasSeconds ? toTheSecond(at) : momentText(at)}
    </time>
  );
}

/** The same, with UTC beside it. */
export function MomentWithUtc({ at }: { readonly at: string }) {
  return (
    <span>
      <time dateTime={at}>{momentText(at)}</time>{" "}
      <Text span size="xs" c="dimmed">
        {utc(at)}
      </Text>
    </span>
  );
}

const utc = (at: string) => `${at.slice(0, 16).replace("T", " ")} UTC`;
