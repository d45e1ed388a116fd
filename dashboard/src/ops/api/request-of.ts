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

/**
 * What the next call of one that does a part of the work is given; null if nothing is left, or the last call did nothing, so that
 * another would do nothing either.
 */
export function nextPart({ continues }: Pick<CallDefinition, "continues">, given: Given, answer: Given): Given | null {
  if (continues === null) return null;
  const { left: field, as, sums } = continues;
  const left = answer[field];
  if (as !== null) return typeof left === "string" ? { ...given, [as]: left } : null;
  const isAnyDone = sums.some((name) => typeof answer[name] === "number" && answer[name] > 0);
  return typeof left === "number" && left > 0 && isAnyDone ? given : null;
}

/** The last answer, with what all calls did. */
export function summed({ continues }: Pick<CallDefinition, "continues">, answers: readonly Given[]): Given {
  const sums = (continues?.sums ?? []).map((name) => {
    const counts = answers.map((answer) => answer[name]).filter((count) => typeof count === "number");
    return [name, counts.reduce((sum, count) => sum + count, 0)] as const;
  });
  return { ...answers.at(-1), ...Object.fromEntries(sums) };
}
