import { expect, it } from "vitest";
import { summaryOfRefusedKey } from "../../src/summaries/of-refused-key.ts";

it.each([
  [
    "malformed",
    "it is no key. It is cut off, or quotes, blanks or another header's value came with it. Copy your key again.",
    "это не ключ.",
  ],
  ["unknown", "it looks like a key, and is none of ours. It is of another service, or has a wrong character.", "у нас такого нет."],
  ["revoked", "it was revoked. Use another one, or make a new one.", "он отозван."],
  ["expired", "it has expired. Make a new one.", "его срок истёк."],
  ["partner_disabled", "your account is disabled, and so are all its keys.", "ваш кабинет отключён"],
  ["person_disabled", "the person whom it belongs to is disabled, or has left.", "его владелец отключён или ушёл."],
] as const)("a key that is %s is answered: %s", (reason, en, ru) => {
  const summary = summaryOfRefusedKey("7f3a", reason);
  expect(summary.en).toContain(`The key …7f3a that you send is refused: ${en}`);
  expect(summary.ru).toContain("Ключ …7f3a, который вы отправляете, не принимается: ");
  expect(summary.ru).toContain(ru);
});
