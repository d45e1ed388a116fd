import type { Environment } from "../core/environment.ts";
import type { keyStates } from "../core/object-states.ts";
import { inBoth, reasonIn, type Summary } from "./words.ts";

/** What a summary of a key says. */
export interface KeyFacts {
  readonly state: (typeof keyStates)[number];
  /** Its last characters; null for a key from before they were kept. */
  readonly hint: string | null;
  readonly revokedAt: number | null;
  readonly expiresAt: number | null;
  readonly lastUsedAt: number | null;
  readonly partnerStatus: string;
}

/** Why no key of a disabled partner works. */
export const THE_ACCOUNT: Summary = {
  en: "your account is disabled, and so are all its keys.",
  ru: "ваш кабинет отключён, а с ним и все его ключи.",
};

/** Whether a key works, and when it was used. */
export function summaryOfKey({ state, hint, revokedAt, expiresAt, lastUsedAt, partnerStatus }: KeyFacts, timeZone: string): Summary {
  const name = hint === null ? "" : ` …${hint}`;
  return inBoth(timeZone, null, {
    en: ({ day }) => [
      {
        active: `The key${name} works${expiresAt === null ? "" : ` until ${day(expiresAt)}`}.`,
        expired: `The key${name} does not work: it ended${expiresAt === null ? "" : ` on ${day(expiresAt)}`}. Make a new one.`,
        revoked: `The key${name} does not work: it was revoked${revokedAt === null ? "" : ` on ${day(revokedAt)}`}. Use your new one.`,
        disabled:
          partnerStatus === "disabled"
            ? `The key${name} does not work: ${THE_ACCOUNT.en}`
            : `The key${name} does not work any more: the person whom it belongs to is disabled. Use another key, or enable the person again.`,
      }[state],
      ...useOf(lastUsedAt, state, ["It was never used.", (at) => `It was last used on ${day(at)}.`]),
    ],
    ru: ({ day }) => [
      {
        active: `Ключ${name} работает${expiresAt === null ? "" : ` до ${day(expiresAt)}`}.`,
        expired: `Ключ${name} не работает: срок истёк${expiresAt === null ? "" : ` ${day(expiresAt)}`}. Создайте новый.`,
        revoked: `Ключ${name} не работает: он отозван${revokedAt === null ? "" : ` ${day(revokedAt)}`}. Используйте новый.`,
        disabled:
          partnerStatus === "disabled"
            ? `Ключ${name} не работает: ${THE_ACCOUNT.ru}`
            : `Ключ${name} больше не работает: его владелец отключён. Используйте другой ключ или снова включите этого человека.`,
      }[state],
      ...useOf(lastUsedAt, state, ["Им ещё не пользовались.", (at) => `Последний раз им пользовались ${day(at)}.`]),
    ],
  });
}

/** When a key was used. One that does not work any more may have been tried in vain: that it was never used would be no answer. */
function useOf(at: number | null, state: KeyFacts["state"], [never, last]: readonly [string, (at: number) => string]): string[] {
  if (at !== null) return [last(at)];
  return state === "active" ? [never] : [];
}

/** What a summary of a webhook says. Times in Unix milliseconds. */
export interface WebhookFacts {
  readonly environment: Environment;
  readonly suspensionReason: "gone" | "failing" | "unregistered" | "operator" | "partner_disabled" | null;
  readonly suspendedAt: number | null;
  /** Why support suspended it, as an operator wrote it. */
  readonly suspensionNote: string | null;
  readonly failingSince: number | null;
}

/** Whether a webhook takes events, and what to do if not. */
export function summaryOfWebhook(
  { environment, suspensionReason, suspendedAt, suspensionNote, failingSince }: WebhookFacts,
  timeZone: string,
): Summary {
  return inBoth(timeZone, null, {
    en: ({ day }) => {
      const name = `Your ${environment} webhook`;
      const since = suspendedAt === null ? "" : ` since ${day(suspendedAt)}`;
      const kept = "Its events are kept, and are sent when you resume it or register it again.";
      switch (suspensionReason) {
        case "gone":
          return [`${name} is suspended${since}, because your receiver answered 410 Gone.`, kept];
        case "failing":
          return [`${name} is suspended${since}, because every attempt failed for days.`, kept];
        case "unregistered":
          return [`You unregistered your ${environment} webhook${suspendedAt === null ? "" : ` on ${day(suspendedAt)}`}.`, kept];
        case "operator":
          return [
            `Support suspended your ${environment} webhook${suspendedAt === null ? "" : ` on ${day(suspendedAt)}`}.`,
            ...reasonIn("en", suspensionNote),
            "Only support can resume it. Its events are kept, and are sent then.",
          ];
        case "partner_disabled":
          return [`${name} is suspended${since}, because your account was disabled.`, "Its events are kept."];
        case null:
          return failingSince === null
            ? [`${name} gets its events.`]
            : [
                `Attempts to reach your ${environment} webhook have failed since ${day(failingSince)}; we try again.`,
                "Its deliveries show what your receiver answered.",
              ];
      }
    },
    ru: ({ day }) => {
      const name = environment === "live" ? "вебхук" : "тестовый вебхук";
      const since = suspendedAt === null ? "" : ` с ${day(suspendedAt)}`;
      const kept = "События хранятся и уйдут, когда вы его возобновите или подключите снова.";
      switch (suspensionReason) {
        case "gone":
          return [`Ваш ${name} приостановлен${since}: ваш приёмник ответил 410 Gone.`, kept];
        case "failing":
          return [`Ваш ${name} приостановлен${since}: несколько дней не удавалась ни одна попытка.`, kept];
        case "unregistered":
          return [`Вы отключили ${name}${suspendedAt === null ? "" : ` ${day(suspendedAt)}`}.`, kept];
        case "operator":
          return [
            `Поддержка приостановила ваш ${name}${suspendedAt === null ? "" : ` ${day(suspendedAt)}`}.`,
            ...reasonIn("ru", suspensionNote),
            "Возобновить его может только она. События хранятся и уйдут после этого.",
          ];
        case "partner_disabled":
          return [`Ваш ${name} приостановлен${since}: ваш кабинет отключён.`, "События хранятся."];
        case null:
          return failingSince === null
            ? [`Ваш ${name} получает события.`]
            : [
                `С ${day(failingSince)} попытки доставить события на ваш ${name} не удаются; мы пробуем снова.`,
                "В доставках видно, что ответил ваш приёмник.",
              ];
      }
    },
  });
}
