import { expect, it } from "vitest";
import { type RequestFacts, summaryOfRequest } from "../../src/summaries/of-request.ts";
import { plain } from "./plain.ts";

const request: RequestFacts = { operation: "create-link", at: Date.parse("2026-11-12T10:00:00Z"), refusal: null };
const message = "items[0].quantity: must be at least 1";

it.each<[Partial<RequestFacts>, string, string]>([
  [
    {},
    "Your request of create-link was carried out (12 Nov 2026, 10:00 UTC).",
    "Ваш запрос create-link выполнен (12 нояб. 2026, 10:00 UTC).",
  ],
  [
    { refusal: { message, repeatable: "corrected" } },
    "Your request of create-link was refused (12 Nov 2026, 10:00 UTC): items[0].quantity: must be at least 1. Correct that, and send it again under the same token or key.",
    "Ваш запрос create-link отклонён (12 нояб. 2026, 10:00 UTC): items[0].quantity: must be at least 1. Исправьте это и отправьте запрос с тем же токеном или ключом.",
  ],
  [
    { refusal: { message: "The processor does not answer.", repeatable: "now" } },
    "Your request of create-link was refused (12 Nov 2026, 10:00 UTC): The processor does not answer. Send the same request again: nothing is made twice.",
    "Ваш запрос create-link отклонён (12 нояб. 2026, 10:00 UTC): The processor does not answer. Отправьте тот же запрос ещё раз: дважды ничего не создаётся.",
  ],
  [
    { refusal: { message: "The token is used.", repeatable: "new_token" } },
    "Your request of create-link was refused (12 Nov 2026, 10:00 UTC): The token is used. Send it again as a new request.",
    "Ваш запрос create-link отклонён (12 нояб. 2026, 10:00 UTC): The token is used. Отправьте его ещё раз как новый запрос.",
  ],
])("a request with %j reads: %s", (change, en, ru) => {
  const summary = summaryOfRequest({ ...request, ...change }, "UTC");
  expect([summary.en, plain(summary.ru)]).toEqual([en, ru]);
});
