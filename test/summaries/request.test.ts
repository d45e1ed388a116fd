import { expect, it } from "vitest";
import { type RequestFacts, summaryOfRequest } from "../../src/summaries/of-request.ts";
import { plain } from "./plain.ts";

const request: RequestFacts = { operation: "create-link", at: Date.parse("2026-11-12T10:00:00Z"), outcome: "created", refusal: null };
const message = "items[0].quantity: must be at least 1";

it.each<[Partial<RequestFacts>, string, string]>([
  [
    {},
    "Your request of create-link was carried out (12 Nov 2026, 10:00 UTC).",
    "Ваш запрос create-link выполнен (12 нояб. 2026, 10:00 UTC).",
  ],
  [
    { outcome: "failed" },
    "Your request of create-link failed (12 Nov 2026, 10:00 UTC). Send it again under the same token or key: nothing is made twice, and the answer says why.",
    "Ваш запрос create-link не выполнен (12 нояб. 2026, 10:00 UTC). Отправьте его ещё раз с тем же токеном или ключом: дважды ничего не создаётся, а ответ скажет причину.",
  ],
  [
    { outcome: "unfinished" },
    "Your request of create-link has no result yet (12 Nov 2026, 10:00 UTC). Send it again under the same token or key: nothing is made twice.",
    "У запроса create-link ещё нет результата (12 нояб. 2026, 10:00 UTC). Отправьте его ещё раз с тем же токеном или ключом: дважды ничего не создаётся.",
  ],
  [
    { refusal: { message, next: "corrected" } },
    "Your request of create-link was refused (12 Nov 2026, 10:00 UTC): items[0].quantity: must be at least 1. Correct that, and send it again under the same token or key.",
    "Ваш запрос create-link отклонён (12 нояб. 2026, 10:00 UTC): items[0].quantity: must be at least 1. Исправьте это и отправьте запрос с тем же токеном или ключом.",
  ],
  [
    { refusal: { message: "The processor does not answer.", next: "now" } },
    "Your request of create-link was refused (12 Nov 2026, 10:00 UTC): The processor does not answer. Send the same request again: nothing is made twice.",
    "Ваш запрос create-link отклонён (12 нояб. 2026, 10:00 UTC): The processor does not answer. Отправьте тот же запрос ещё раз: дважды ничего не создаётся.",
  ],
  [
    { refusal: { message: "The token is used.", next: null } },
    "Your request of create-link was refused (12 Nov 2026, 10:00 UTC): The token is used.",
    "Ваш запрос create-link отклонён (12 нояб. 2026, 10:00 UTC): The token is used.",
  ],
])("a request with %j reads: %s", (change, en, ru) => {
  const summary = summaryOfRequest({ ...request, ...change }, "UTC");
  expect([summary.en, plain(summary.ru)]).toEqual([en, ru]);
});
