import type { Violation } from "./violation.ts";
import type { World } from "./world.ts";

/** No log line contains a key, a secret, a payment URL, or personal data. */
export function auditLog({ log, partners }: World): Violation[] {
  const forbidden: readonly (readonly [string, RegExp | string])[] = [
    ["an address of a buyer", /(?:@|%40)buyers\.example/],
    ["a key of the processor", /\b[rs]k_(?:test|live)_\w+/],
    ["a signing secret", /\bwhsec_\w+/],
    ["a password of the bank", "sandbox-password"],
    ["the operators' token", "ops-local"],
    ["the address of a checkout", /\/checkout\/\w/],
    ["the address of a page of the bank", /\/bank\/(?:pay|sbp)\/\w/],
    ...partners.flatMap(({ id, key, secrets }): [string, string][] => [
      [`the key of ${id}`, key],
      ...secrets.map((secret): [string, string] => [`a secret of ${id}`, secret]),
    ]),
  ];
  return log.flatMap((line) => {
    const found = forbidden.find(([, text]) => (typeof text === "string" ? line.includes(text) : text.test(line)));
    return found === undefined ? [] : [{ promise: "no secret is in the log", what: `a line of the log has ${found[0]}`, about: "" }];
  });
}
