import type { keyStates } from "../core/object-states.ts";
import { inBoth, type Summary } from "./words.ts";

/** What a summary of a key says. */
export interface KeyFacts {
  readonly state: (typeof keyStates)[number];
  /** Its last characters; null for a key from before they were kept. */
  readonly hint: string | null;
  readonly revokedAt: number | null;
  readonly expiresAt: number | null;
  readonly lastUsedAt: number | null;
}

/** Whether a key works, and when it was used. */
export function summaryOfKey({ state, hint, revokedAt, expiresAt, lastUsedAt }: KeyFacts, timeZone: string): Summary {
  const name = hint === null ? "" : ` …${hint}`;
  return inBoth(timeZone, {
    en: ({ day }) => [
      {
        active: `The key${name} works${expiresAt === null ? "" : ` until ${day(expiresAt)}`}.`,
        expired: `The key${name} does not work: it ended${expiresAt === null ? "" : ` on ${day(expiresAt)}`}. Make a new one.`,
        revoked: `The key${name} does not work: it was revoked${revokedAt === null ? "" : ` on ${day(revokedAt)}`}. Use your new one.`,
        disabled: `The key${name} does not work: the person whom it belongs to is disabled.`,
      }[state],
      lastUsedAt === null ? "It was never used." : `It was last used on ${day(lastUsedAt)}.`,
    ],
    ru: ({ day }) => [
      {
        active: `Ключ${name} работает${expiresAt === null ? "" : ` до ${day(expiresAt)}`}.`,
        expired: `Ключ${name} не работает: срок истёк${expiresAt === null ? "" : ` ${day(expiresAt)}`}. Создайте новый.`,
        revoked: `Ключ${name} не работает: он отозван${revokedAt === null ? "" : ` ${day(revokedAt)}`}. Используйте новый.`,
        disabled: `Ключ${name} не работает: его владелец отключён.`,
      }[state],
      lastUsedAt === null ? "Им ещё не пользовались." : `Последний раз им пользовались ${day(lastUsedAt)}.`,
    ],
  });
}

/** What a summary of a webhook says. Times in Unix milliseconds. */
export interface WebhookFacts {
  readonly suspensionReason: "gone" | "failing" | "unregistered" | "operator" | "partner_disabled" | null;
  readonly suspendedAt: number | null;
  readonly failingSince: number | null;
}

/** Whether a webhook takes events, and what to do if not. */
export function summaryOfWebhook({ suspensionReason, suspendedAt, failingSince }: WebhookFacts, timeZone: string): Summary {
  return inBoth(timeZone, {
    en: ({ day }) => {
      const since = suspendedAt === null ? "" : ` since ${day(suspendedAt)}`;
      const kept = "Its events are kept, and are sent when you resume it or register it again.";
      switch (suspensionReason) {
        case "gone":
          return [`Your webhook is suspended${since}, because your receiver answered 410 Gone.`, kept];
        case "failing":
          return [`Your webhook is suspended${since}, because every attempt failed for days.`, kept];
        case "unregistered":
          return [`You unregistered this webhook${suspendedAt === null ? "" : ` on ${day(suspendedAt)}`}.`, kept];
        case "operator":
          return [
            `Support suspended your webhook${suspendedAt === null ? "" : ` on ${day(suspendedAt)}`}.`,
            "Ask support why; only they can resume it. Its events are kept.",
          ];
        case "partner_disabled":
          return [`Your webhook is suspended${since}, because your account was disabled.`, "Its events are kept."];
        case null:
          return failingSince === null
            ? ["Your webhook gets its events."]
            : [
                `Attempts to reach your webhook have failed since ${day(failingSince)}; we try again.`,
                "Its deliveries show what your receiver answered.",
              ];
      }
    },
    ru: ({ day }) => {
      const since = suspendedAt === null ? "" : ` с ${day(suspendedAt)}`;
      const kept = "События хранятся и уйдут, когда вы его возобновите или подключите снова.";
      switch (suspensionReason) {
        case "gone":
          return [`Ваш вебхук приостановлен${since}: ваш приёмник ответил 410 Gone.`, kept];
        case "failing":
          return [`Ваш вебхук приостановлен${since}: несколько дней не удавалась ни одна попытка.`, kept];
        case "unregistered":
          return [`Вы отключили этот вебхук${suspendedAt === null ? "" : ` ${day(suspendedAt)}`}.`, kept];
        case "operator":
          return [
            `Поддержка приостановила ваш вебхук${suspendedAt === null ? "" : ` ${day(suspendedAt)}`}.`,
            "Возобновить его может только она. События хранятся.",
          ];
        case "partner_disabled":
          return [`Ваш вебхук приостановлен${since}: ваш аккаунт отключён.`, "События хранятся."];
        case null:
          return failingSince === null
            ? ["Ваш вебхук получает события."]
            : [
                `С ${day(failingSince)} попытки доставить события на ваш вебхук не удаются; мы пробуем снова.`,
                "В доставках видно, что ответил ваш приёмник.",
              ];
      }
    },
  });
}
