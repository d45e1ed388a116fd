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

/** The fields whose values are named by us. What people wrote stands as they wrote it. */
const NAMED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  permissions: rights,
  rights,
  status: texts.status,
  state: texts.status,
  moderation: texts.status,
  environment: { live: texts.environment.live, test: texts.environment.test },
};

/** A value of a change as people read it: permissions by their names, a list with commas, nothing as a dash. `name`: its field. */
export function valueText(value: unknown, name: string): string {
  if (value === null || value === undefined || value === "") return "–";
  if (typeof value === "boolean") return value ? texts.audit.yes : texts.audit.no;
  if (typeof value === "string")
    return new Map(Object.entries(NAMED[name] ?? {})).get(value) ?? (MOMENT.test(value) ? momentText(value) : value);
  if (!Array.isArray(value)) return JSON.stringify(value);
  return value.length === 0 ? "–" : value.map((one) => valueText(one, name)).join(", ");
}
