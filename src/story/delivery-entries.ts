import { isoTime } from "../core/clock.ts";
import { CHAT_CODE, endpointIn, isForPeople } from "../core/ids.ts";
import { helpByCall, idsOf, type StoryEntry, told } from "./entry.ts";
import type { Delivery, Endpoint, OrderHistory } from "./order-history.ts";
import { payloadSchema } from "./payload.ts";

/** The partner's events of an order, and each attempt to deliver them: to each webhook, to the chat, and by e-mail. */
export function deliveryEntries(gathered: OrderHistory, now: number): StoryEntry[] {
  const all = [...gathered.deliveries.values()];
  return all.flatMap((delivery) => {
    const { eventId: id, deliveryId, name, createdAt, payload } = delivery;
    const isFirst = deliveryId === id;
    const { transaction, subscription, payment_intent_id, checkout, Payment } = payloadSchema.safeParse(JSON.parse(payload)).data ?? {};
    const payment = transaction?.payment_intent_id ?? payment_intent_id;
    const about = idsOf(payment, subscription?.id, checkout?.session_id, checkout?.payment_link_id, Payment?.OrderId);
    const recorded = told(
      `The event ${name} was recorded${subscription === undefined ? "" : `; the subscription was ${subscription.status}`}.`,
      `Записано событие ${name}${subscription === undefined ? "" : `; состояние подписки: ${subscription.status}`}.`,
    );
    const entry = { id, objects: about } as const;
    // Without a first webhook the event goes to the others alone.
    const isToServer = (other: Delivery) => other.eventId === id && other.deliveryId !== id && !isForPeople(other.endpointId);
    const goesElsewhere = delivery.state === "no_endpoint" && all.some(isToServer);
    const open = goesElsewhere ? null : openDelivery(delivery, gathered, now);
    const to = isFirst ? null : destinationOf(delivery.endpointId, gathered.endpoints.get(delivery.endpointId));
    return [
      ...(isFirst ? [{ ...entry, ...recorded, help: null, at: createdAt, kind: "event" as const }] : []),
      ...delivery.attemptList.map(
        (attempt): StoryEntry => ({ ...entry, ...toldOf(to, outcomeOf(attempt)), help: null, at: attempt.at, kind: "delivery" }),
      ),
      ...(open === null ? [] : [{ ...toldOf(to, open), ...entry, kind: "delivery" as const }]),
    ];
  });
}

/** Where a delivery goes that is not to the first webhook of its environment. */
function destinationOf(id: string, endpoint: Endpoint | undefined): readonly [en: string, ru: string] {
  if (isForPeople(id)) return endpointIn(id)?.code === CHAT_CODE ? ["To the chat", "В чат"] : ["By e-mail", "По почте"];
  const name = endpoint?.name ?? null;
  return name === null ? ["To a webhook that was removed", "На удалённый вебхук"] : [`To the webhook “${name}”`, `На вебхук «${name}»`];
}

/** An entry that begins with where the delivery goes. */
function toldOf<Entry extends Pick<StoryEntry, "says" | "wrong" | "ru">>(to: readonly [string, string] | null, entry: Entry): Entry {
  if (to === null) return entry;
  const [en, ru] = to;
  return {
    ...entry,
    says: `${en}: ${entry.says}`,
    wrong: entry.wrong && `${en}: ${entry.wrong}`,
    ...(entry.ru && { ru: { says: `${ru}: ${entry.ru.says}`, wrong: entry.ru.wrong && `${ru}: ${entry.ru.wrong}` } }),
  };
}

type Attempt = Delivery["attemptList"][number];

/** Why an attempt failed, in Russian; a refusal says its HTTP status anyway. */
const WHY_RU: Readonly<Record<NonNullable<Attempt["errorClass"]>, string>> = {
  lost: " (прервалась)",
  status: "",
  redirect: " (перенаправление)",
  gone: " (адрес закрыт)",
  timeout: " (нет ответа вовремя)",
  connection: " (нет соединения)",
  forbidden_url: " (адрес в закрытой сети)",
  secret: " (не прочитан секрет подписи)",
  relay: " (не сработал посредник)",
  mailer: " (не сработала почта)",
};

/** Maximum characters of a receiver's answer. */
const EXCERPT = 200;

function outcomeOf({ number, manual, status, errorClass, excerpt }: Attempt) {
  const code = status === null ? "" : `, HTTP ${status}`;
  const answer = excerpt === null || excerpt.trim() === "" ? null : excerpt.trim().slice(0, EXCERPT);
  return told(
    `Attempt ${number}${manual ? ", sent by hand" : ""}: ${errorClass === null ? "the receiver took it" : `failed${errorClass === "status" ? "" : ` (${errorClass})`}`}${code}${answer === null ? "" : `; the receiver answered: ${answer}`}`,
    `Попытка ${number}${manual ? ", отправлено вручную" : ""}: ${errorClass === null ? "приёмник принял" : `не удалась${WHY_RU[errorClass]}`}${code}${answer === null ? "" : `; приёмник ответил: ${answer}`}`,
  );
}

/** What prevents an event's delivery; null if nothing does. */
function openDelivery(
  delivery: Delivery,
  { endpoints, partners }: OrderHistory,
  now: number,
): Omit<StoryEntry, "kind" | "id" | "objects"> | null {
  const last = delivery.attemptList.at(-1);
  const got = last?.status ?? last?.errorClass ?? "unknown";
  const since = isoTime(firstOfRow(delivery));
  const answered = last === undefined ? "nothing was sent yet" : `attempts fail (${got}) since ${since}`;
  const gotRu = last?.status === null ? WHY_RU[last.errorClass ?? "lost"] : ` (${got})`;
  const answeredRu = last === undefined ? "ещё ничего не отправлено" : `попытки не удаются${gotRu} с ${since}`;
  const resend = isForPeople(delivery.endpointId) ? null : helpByCall("deliveries resend", { event: delivery.deliveryId });
  const lastAt = last?.at ?? delivery.createdAt;
  const partner = partners.get(delivery.partnerId);
  const contact = partner?.contact ?? null;
  const tell = contact === null ? "" : ` Write to ${contact}.`;
  switch (delivery.state) {
    case "succeeded":
      return null;
    case "sending":
      return { at: now, help: null, ...told("It is being sent now.", "Сейчас отправляется.") };
    case "pending":
      return {
        at: delivery.nextAttemptAt,
        ...told(
          `The next attempt is due ${isoTime(delivery.nextAttemptAt)}.`,
          `Следующая попытка: ${isoTime(delivery.nextAttemptAt)}.`,
          last === undefined ? null : [`The event waits: ${answered}.${tell}`, `Событие ждёт: ${answeredRu}.`],
        ),
        help: last === undefined ? null : resend,
      };
    case "exhausted":
      return {
        at: lastAt,
        help: resend,
        ...told("No further attempt is made.", "Попыток больше не будет.", [
          `The delivery is exhausted: ${answered}.${tell}`,
          `Не доставлено: ${answeredRu}.`,
        ]),
      };
    case "suspended":
      return { at: lastAt, ...suspensionOf(endpoints.get(delivery.endpointId)?.suspensionReason ?? null, delivery, tell) };
    case "no_endpoint":
      return {
        at: delivery.createdAt,
        help: endpoints.has(delivery.endpointId) ? resend : null,
        ...told(
          "Nothing is sent.",
          "Ничего не отправляется.",
          endpoints.has(delivery.endpointId)
            ? [
                "No webhook was registered for this environment at that time.",
                "В то время в этом режиме не было зарегистрировано ни одного вебхука.",
              ]
            : [
                `No webhook is registered for this environment: one must be registered first.${tell}`,
                "В этом режиме не зарегистрирован ни один вебхук: сначала зарегистрируйте его.",
              ],
        ),
      };
  }
}

/** An event that is kept, and why. */
const kept = (en: string, ru: string) => told("The event is kept.", "Событие сохраняется.", [en, ru]);

/** Why a webhook is suspended, and how the suspension ends. */
function suspensionOf(
  reason: Endpoint["suspensionReason"],
  { endpointId, partnerId }: Delivery,
  tell: string,
): Pick<StoryEntry, "help" | "ru" | "says" | "wrong"> {
  const resume = helpByCall("endpoints resume", { id: endpointId });
  switch (reason) {
    case "partner_disabled":
      return {
        ...kept("Its webhook is suspended, because its partner is disabled.", "Вебхук приостановлен, потому что партнёр отключён."),
        help: helpByCall("partners enable", { id: partnerId }),
      };
    case "gone":
      return {
        ...kept(
          `Its webhook is suspended, because it answered 410. The receiver must be repaired first.${tell}`,
          "Вебхук приостановлен: он ответил 410. Сначала почините приёмник.",
        ),
        help: resume,
      };
    case "failing":
      return {
        ...kept(
          `Its webhook is suspended after days with only failures. The receiver must be repaired first.${tell}`,
          "Вебхук приостановлен: несколько дней не проходило ничего. Сначала почините приёмник.",
        ),
        help: resume,
      };
    case "unregistered":
      return {
        ...kept(
          `Its webhook is unregistered: the partner registers or resumes it.${tell}`,
          "Вебхук снят с регистрации: зарегистрируйте или возобновите его.",
        ),
        help: null,
      };
    case "operator":
      return { ...kept("Its webhook is suspended by an operator.", "Вебхук приостановлен поддержкой."), help: resume };
    case null:
      return { ...kept("Its webhook is suspended.", "Вебхук приостановлен."), help: resume };
  }
}

/** The start of the current series of failures. */
function firstOfRow({ attemptList, createdAt }: Delivery): number {
  const lastGood = attemptList.findLastIndex(({ errorClass }) => errorClass === null);
  return attemptList[lastGood + 1]?.at ?? createdAt;
}
