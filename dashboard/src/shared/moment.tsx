import { Text } from "@mantine/core";

const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "long" });

/**
 * A time of the Worker (ISO 8601) in the person's own time zone; UTC is in its title. Without a component of the library: a
 * page of a list has hundreds.
 */
export function MomentText({ at }: { readonly at: string }) {
  return (
    <time className="moment" dateTime={at} title={`${exact.format(new Date(at))} · ${utc(at)}`}>
      {day.format(new Date(at))}
    </time>
  );
}

/** The same, with UTC beside it. */
export function MomentWithUtc({ at }: { readonly at: string }) {
  return (
    <span>
      <time dateTime={at}>{day.format(new Date(at))}</time>{" "}
      <Text span size="xs" c="dimmed">
        {utc(at)}
      </Text>
    </span>
  );
}

const utc = (at: string) => `${at.slice(0, 16).replace("T", " ")} UTC`;
