const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATE_TIME = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}(?::?\d{2})?)?$/i;

/**
 * A moment in Unix milliseconds from an ISO 8601 date or date-time, or null where it is neither or no day of the
 * calendar. Without an offset it is UTC. A bare date is its day's first millisecond as a start, its last as an end
 * (interface, operation 5).
 */
export function parseMoment(text: string, edge: "start" | "end"): number | null {
  const date = DATE.exec(text);
  if (date !== null) return momentOf(`${text}T${edge === "start" ? "00:00:00.000" : "23:59:59.999"}Z`, date);
  const dateTime = DATE_TIME.exec(text);
  if (dateTime === null) return null;
  const [, year, month, day, hour, minute, second = "00", fraction = "", offset = "Z"] = dateTime;
  const milliseconds = fraction.slice(0, 3).padEnd(3, "0");
  const zone = offset.length < 3 ? "Z" : `${offset.slice(0, 3)}:${offset.slice(3).replace(":", "") || "00"}`;
  return momentOf(`${year}-${month}-${day}T${hour}:${minute}:${second}.${milliseconds}${zone}`, dateTime);
}

/** Date.parse takes 30 February for 2 March in some spellings, so the calendar is asked first. */
function momentOf(text: string, [, year, month, day]: RegExpExecArray): number | null {
  const daysInMonth = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  if (Number(month) < 1 || Number(month) > 12 || Number(day) < 1 || Number(day) > daysInMonth) return null;
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? null : moment;
}
