import { asSentence, inBoth, type Summary } from "./words.ts";

/** What a summary of a request says. The time in Unix milliseconds. */
export interface RequestFacts {
  readonly operation: string;
  readonly at: number;
  /** What became of it; `unfinished`: it runs, was interrupted, or waits for its short link. */
  readonly outcome: "created" | "failed" | "unfinished";
  /** Why it was refused, as it was answered, and what a repeat needs; `next`: null where only the code's own cure says it. */
  readonly refusal: { readonly message: string; readonly next: "now" | "corrected" | null } | null;
}

/** What became of a request, and what to do next. */
export const summaryOfRequest = ({ operation, at, outcome, refusal }: RequestFacts, timeZone: string): Summary =>
  inBoth(timeZone, null, {
    en: ({ moment }) => {
      const name = `Your request of ${operation}`;
      if (refusal === null)
        return {
          created: [`${name} was carried out (${moment(at)}).`],
          failed: [
            `${name} failed (${moment(at)}).`,
            "Send it again under the same token or key: nothing is made twice, and the answer says why.",
          ],
          unfinished: [`${name} has no result yet (${moment(at)}).`, "Send it again under the same token or key: nothing is made twice."],
        }[outcome];
      const next = {
        now: ["Send the same request again: nothing is made twice."],
        corrected: ["Correct that, and send it again under the same token or key."],
      };
      return [`${name} was refused (${moment(at)}): ${asSentence(refusal.message)}`, ...(refusal.next === null ? [] : next[refusal.next])];
    },
    ru: ({ moment }) => {
      const name = `Ваш запрос ${operation}`;
      if (refusal === null)
        return {
          created: [`${name} выполнен (${moment(at)}).`],
          failed: [
            `${name} не выполнен (${moment(at)}).`,
            "Отправьте его ещё раз с тем же токеном или ключом: дважды ничего не создаётся, а ответ скажет причину.",
          ],
          unfinished: [
            `У запроса ${operation} ещё нет результата (${moment(at)}).`,
            "Отправьте его ещё раз с тем же токеном или ключом: дважды ничего не создаётся.",
          ],
        }[outcome];
      const next = {
        now: ["Отправьте тот же запрос ещё раз: дважды ничего не создаётся."],
        corrected: ["Исправьте это и отправьте запрос с тем же токеном или ключом."],
      };
      return [`${name} отклонён (${moment(at)}): ${asSentence(refusal.message)}`, ...(refusal.next === null ? [] : next[refusal.next])];
    },
  });
