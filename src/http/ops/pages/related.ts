import type { OpsCall } from "../define-call.ts";

type Given = Readonly<Record<string, string>>;

/** A call that goes with what a page shows, and what the page knows of its input. */
export interface RelatedCall {
  readonly call: OpsCall;
  readonly given: Given;
}

const names = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
const shape = (path: string): string => path.replaceAll(/\{\w+\}/g, "{}");

/** The part of a path up to its last parameter: what it is about. */
function subjectOf(path: string): string {
  return path.slice(0, path.lastIndexOf("}") + 1);
}

/** The shape of a partner's path. A partner's page also links the lists that have a `partner` filter. */
const PARTNER = "/ops/partners/{}";

/**
 * The other calls about the same thing: their paths begin with its path. For a partner, also the lists that can be
 * filtered by partner.
 */
export function relatedCalls(calls: readonly OpsCall[], shown: OpsCall, given: Given): RelatedCall[] {
  const subject = subjectOf(shown.path);
  if (subject === "") return [];
  const values = names(subject).map((name) => given[name] ?? "");
  if (values.includes("")) return [];
  const prefix = shape(subject);
  const [partner = ""] = values;
  const ofPartner = calls.flatMap((call) =>
    "partner" in call.query.shape && call.positional.length === 0 ? [{ call, given: { partner } }] : [],
  );
  const about = calls.flatMap((call) => {
    const path = shape(call.path);
    const isAbout = path === prefix || path.startsWith(`${prefix}/`);
    if (call === shown || !isAbout) return [];
    return [{ call, given: Object.fromEntries(names(call.path).map((name, index) => [name, values[index] ?? ""])) }];
  });
  return prefix === PARTNER ? [...about, ...ofPartner] : about;
}
