import type { Violation } from "./violation.ts";
import { textOf, type World } from "./world.ts";

/** No line of the log has a key, a secret, a checkout address or a personal datum. */
export function auditLog({ log, partners, things }: World): Violation[] {
  const checkouts = new Set(things.filter(({ object }) => object === "payment_link").map((link) => textOf(link, "url")));
  const forbidden: [string, RegExp | string][] = [
    ["an address of a buyer", /@buyers\.example/],
    ["a key of the processor", /\b[rs]k_(?:test|live)_\w+/],
    ["a signing secret", /\bwhsec_\w+/],
    ["the operators' token", "ops-local"],
    ...partners.flatMap(({ id, key, secrets }): [string, string][] => [
      [`the key of ${id}`, key],
      ...secrets.map((secret): [string, string] => [`a secret of ${id}`, secret]),
    ]),
  ];
  return log.flatMap((line) => {
    const found = forbidden.find(([, text]) => (typeof text === "string" ? line.includes(text) : text.test(line)));
    const checkout = /https?:\/\/[^\s"\\]+\/checkout\/[^\s"\\]+/.exec(line)?.[0];
    const what = found?.[0] ?? (checkout !== undefined && checkouts.has(checkout) ? "a checkout address" : undefined);
    return what === undefined ? [] : [{ promise: "no secret is in the log", what: `a line of the log has ${what}`, about: what }];
  });
}
