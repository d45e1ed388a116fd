import { Text } from "@mantine/core";
import { inShownZone } from "./time-zone.ts";

const short = inShownZone({ dateStyle: "medium", timeStyle: "short" });
const exact = inShownZone({ dateStyle: "full", timeStyle: "long" });

/**
 * A time of the Worker (ISO 8601) in the partner's time zone, which is also that of the filters, reports and files; UTC is in its
 * title. Without a component of the library: a page of a list has hundreds.
 */
export function MomentText({ at }: { readonly at: string }) {
  return (
    <time className="moment" dateTime={at} title={`${exact(at)} · ${utc(at)}`}>
      {short(at)}
    </time>
  );
}

/** The same, with UTC beside it. */
export function MomentWithUtc({ at }: { readonly at: string }) {
  return (
    <span>
      <time dateTime={at}>{short(at)}</time>{" "}
      <Text span size="xs" c="dimmed">
        {utc(at)}
      </Text>
    </span>
  );
}

const utc = (at: string) => `${at.slice(0, 16).replace("T", " ")} UTC`;
