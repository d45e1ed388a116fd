import { asSentence, inBoth, type Summary } from "./words.ts";

/** What a summary of a request says. The time in Unix milliseconds. */
export interface RequestFacts {
  readonly operation: string;
  readonly at: number;
  /** Why it was refused, as it was answered, and what a repeat needs; null for one that was carried out. */
  readonly refusal: { readonly message: string; readonly repeatable: "now" | "new_token" | "corrected" } | null;
}

/** What became of a request, and what to do next. */
export const summaryOfRequest = ({ operation, at, refusal }: RequestFacts, timeZone: string): Summary =>
  inBoth(timeZone, {
    en: ({ moment }) => {
      if (refusal === null) return [`Your request of ${operation} was carried out (${moment(at)}).`];
      const next = {
        now: "Send the same request again: nothing is made twice.",
        new_token: "Send it again as a new request.",
        corrected: "Correct that, and send it again under the same token or key.",
      };
      return [`Your request of ${operation} was refused (${moment(at)}): ${asSentence(refusal.message)}`, next[refusal.repeatable]];
    },
    ru: ({ moment }) => {
      if (refusal === null) return [`Ваш запрос ${operation} выполнен (${moment(at)}).`];
      const next = {
        now: "Отправьте тот же запрос ещё раз: дважды ничего не создаётся.",
        new_token: "Отправьте его ещё раз как новый запрос.",
        corrected: "Исправьте это и отправьте запрос с тем же токеном или ключом.",
      };
      return [`Ваш запрос ${operation} отклонён (${moment(at)}): ${asSentence(refusal.message)}`, next[refusal.repeatable]];
    },
  });
