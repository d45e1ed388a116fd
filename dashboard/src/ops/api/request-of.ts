import type { CallDefinition } from "./call-definition.ts";

/** The values of a call by the names of its fields, wherever they go: path, query or body. */
export type Given = Readonly<Record<string, unknown>>;

/** A value in a path or a query. */
const textOf = (value: unknown): string => (typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value));

/** Where a call goes, and with what. */
export function requestOf(call: CallDefinition, given: Given): { path: string; query: string; body: Given | null } {
  const path = call.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(textOf(given[name])));
  const inPath = new Set(Object.keys(call.params.properties ?? {}));
  const inQuery = new Set(Object.keys(call.query.properties ?? {}));
  const set = Object.entries(given).filter(([name, value]) => value !== undefined && !inPath.has(name));
  const query = new URLSearchParams(
    set.filter(([name]) => inQuery.has(name)).map(([name, value]): [string, string] => [name, textOf(value)]),
  );
  const body = Object.fromEntries(set.filter(([name]) => !inQuery.has(name)));
  return { path, query: query.size === 0 ? "" : `?${query.toString()}`, body: call.body === null ? null : body };
}
