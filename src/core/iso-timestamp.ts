const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATE_TIME = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}(?::?\d{2})?)?$/i;

/**
 * Parses an ISO 8601 date or date-time to a timestamp in Unix milliseconds. Returns null if the text is neither, or the
 * day does not exist in the calendar. Without an offset, the time is UTC. A date without time is the first millisecond
 * of the day for a start and the last for an end (interface 5.1).
 */
export function parseTimestamp(text: string, edge: "start" | "end"): number | null {
  const date = DATE.exec(text);
  if (date !== null) return timestampOf(`${text}T${edge === "start" ? "00:00:00.000" : "23:59:59.999"}Z`, date);
  const dateTime = DATE_TIME.exec(text);
  if (dateTime === null) return null;
  const [, year, month, day, hour, minute, second = "00", fraction = "", offset = "Z"] = dateTime;
  const milliseconds = fraction.slice(0, 3).padEnd(3, "0");
  const zone = offset.length < 3 ? "Z" : `${offset.slice(0, 3)}:${offset.slice(3).replace(":", "") || "00"}`;
  return timestampOf(`${year}-${month}-${day}T${hour}:${minute}:${second}.${milliseconds}${zone}`, dateTime);
}

/** Checks the length of the month first, because Date.parse reads 30 February as 2 March. It refuses month 13 and day 0. */
function timestampOf(text: string, [, year, month, day]: RegExpExecArray): number | null {
  const daysInMonth = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  if (Number(day) > daysInMonth) return null;
  const timestamp = Date.parse(text);
  return Number.isNaN(timestamp) ? null : timestamp;
}
