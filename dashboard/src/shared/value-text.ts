import { texts } from "../texts/index.ts";
import { momentText } from "./moment-text.ts";

const rights: Readonly<Record<string, string>> = texts.rights.name;
const fields = texts.failure.fields;

/** The name of a changed value, as its form calls it: `time_zone` is the time zone. */
export function nameText(name: string): string {
  const words = name.replaceAll("_", " ");
  return fields[name] ?? `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** A time of the Worker. */
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z$/;

/** A value of a change as people read it: permissions by their names, a list with commas, nothing as a dash. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined || value === "") return "–";
  if (typeof value === "boolean") return value ? texts.audit.yes : texts.audit.no;
  if (typeof value === "string") return rights[value] ?? texts.status[value] ?? (MOMENT.test(value) ? momentText(value) : value);
  if (!Array.isArray(value)) return JSON.stringify(value);
  return value.length === 0 ? "–" : value.map(valueText).join(", ");
}
