import { wordsOfActor } from "../audit/actions.ts";
import { ENTERED } from "../bank-payments/money.ts";
import { isoTime, SECOND } from "../core/clock.ts";
import { moneyText } from "../core/money.ts";
import { clientKeyOf } from "../idempotency/key.ts";
import type { ListedLink } from "../links/admin/links.ts";
import { deliveryEntries } from "./delivery-entries.ts";
import { type Help, helpByCall, idsOf, type StoryEntry, told } from "./entry.ts";
import type { OrderHistory } from "./order-history.ts";
import { actEntries, isDisabling, lookUpEntries, partnerEntries } from "./state-entries.ts";

/** The collected objects as one timeline, in strict time order. `now` in Unix milliseconds. */
export function toTimeline(gathered: OrderHistory, now: number): StoryEntry[] {
  const entries = [
    ...tellRequests(gathered),
    ...tellLinks(gathered),
    ...tellMovements(gathered),
    ...tellSubscriptions(gathered),
    ...tellBankOrders(gathered),
    ...lookUpEntries(gathered, now),
    ...deliveryEntries(gathered, now),
    ...partnerEntries(gathered, now),
    ...actEntries(gathered),
  ];
  return entries.toSorted((left, right) => left.at - right.at);
}

function tellRequests({ records }: OrderHistory): StoryEntry[] {
  return [...records.values()].flatMap((record) => {
    const { id, operation, createdAt, requestId, key } = record;
    const isByCron = requestId.startsWith(BY_CRON);
    const sent = clientKeyOf(key);
    const came = told(
      `A request of ${operation} came under ${sent === null ? "no key" : `the ${sent.kind} ${sent.text}`}; ${isByCron ? "the service finished it by itself" : `its last request id is ${requestId}`}.`,
      `Запрос ${operation} пришёл ${sent === null ? "без ключа" : `с ${sent.kind} ${sent.text}`}; ${isByCron ? "сервис закончил его сам" : `номер последнего запроса: ${requestId}`}.`,
    );
    const entry = { kind: "request", id, objects: [] } as const;
    return [
      { ...entry, ...came, at: createdAt, help: explanationOf(record) },
      { ...entry, ...outcomeOf(record) },
    ];
  });
}

/** The prefix of the request id of a run that the cron resumed. */
const BY_CRON = "cron_";

type StoredRecord = OrderHistory["records"] extends ReadonlyMap<string, infer One> ? One : never;

function outcomeOf(record: StoredRecord): Pick<StoryEntry, "at" | "help" | "ru" | "says" | "wrong"> {
  const at = record.completedAt ?? record.updatedAt;
  const noResult = ["This attempt gave no result.", "Эта попытка не дала результата."] as const;
  switch (record.state) {
    case "completed":
      return { at, help: null, ...told("The request was carried out.", "Запрос выполнен.") };
    case "running":
      return {
        at,
        help: null,
        ...told("The record was last updated.", "Последнее изменение записи.", [
          "It has no result: it is running, or was interrupted.",
          "Результата нет: запрос выполняется или был прерван.",
        ]),
      };
    case "awaiting_short_link":
      // The link's own entry names the solution.
      return {
        at,
        help: null,
        ...told("The short link could not be created.", "Короткий адрес не удалось создать.", [
          "The link waits for its short link.",
          "Ссылка ждёт короткого адреса.",
        ]),
      };
    case "failed":
      return { at, help: explanationOf(record), ...told("The attempt failed.", "Попытка не удалась.", noResult) };
    case "failed_terminal":
      return { at, help: explanationOf(record), ...told("The attempt failed permanently.", "Попытка окончательно не удалась.", noResult) };
  }
}

/** A request without a client key cannot be found by one. */
function explanationOf({ key, partnerId, operation }: StoredRecord): Help | null {
  const sent = clientKeyOf(key);
  return sent === null ? null : helpByCall("explain", { partner: partnerId, operation, key: sent.text });
}

function tellLinks({ links, records, acts }: OrderHistory): StoryEntry[] {
  return [...links.values()].flatMap((link) => {
    const entry = { kind: "payment_link", id: link.id, objects: [] } as const;
    // The link of a compensated attempt never gets a short link.
    const waits = link.recordId !== null && records.get(link.recordId)?.state === "awaiting_short_link";
    const made: StoryEntry = {
      ...entry,
      at: link.createdAt,
      ...told(
        `A link in ${link.currency} was made (${link.mode}, ${link.environment})${link.slug === null ? "" : `, with the short link ${link.slug}`}.`,
        `Создана ссылка в ${link.currency} (${link.mode === "subscription" ? "подписка" : "разовый платёж"}, ${link.environment === "live" ? "боевой режим" : "тестовый режим"})${link.slug === null ? "" : `, с коротким адресом ${link.slug}`}.`,
        link.slug === null ? ["It has no short link.", "У неё нет короткого адреса."] : null,
      ),
      help: waits ? helpByCall("short-links complete", { link: link.id }) : null,
    };
    const closed = link.closedAt === null ? [] : [{ ...entry, at: link.closedAt, ...closedBecause(link), help: null }];
    if (link.disabledAt === null) return [made, ...closed];
    const help = helpByCall("payment-links enable", { link: link.id });
    const act = acts.find((one) => one.target === link.id && isDisabling(one, link));
    const by = act !== undefined ? wordsOfActor(act.actor) : link.disabledBy === "partner" ? "its partner" : "an operator";
    const byRu = link.disabledBy === "partner" ? "вами" : "поддержкой";
    const disabled = {
      ...entry,
      ...told(`The link was disabled by ${by}.`, `Ссылка отключена ${byRu}.`, [
        "Customers cannot pay by it.",
        "Покупатели не могут по ней платить.",
      ]),
      at: link.disabledAt,
      help,
    };
    return [made, ...closed, disabled];
  });
}

const closedBecause = ({ maxPayments }: Pick<ListedLink, "maxPayments">) =>
  told(
    `The link was closed: it had the ${maxPayments === 1 ? "payment" : `${maxPayments} payments`} that it was for.`,
    `Ссылка закрылась: по ней прошли все платежи, на которые она была создана (${maxPayments}).`,
  );

function tellMovements({ movements, links, records }: OrderHistory): StoryEntry[] {
  const ours = [
    ...[...links.values()].map(({ createdAt }) => createdAt),
    ...[...records.values()].flatMap(({ completedAt }) => completedAt ?? []),
  ];
  return [...movements.values()].flatMap((movement) => {
    const { id, amount, currency, clientReferenceId, paymentIntentId, sourceId, subscriptionId, transactionDate, updatedAt } = movement;
    const asked = paymentIntentId ?? sourceId;
    const isLost = movement.partnerId === null;
    const entry = { kind: "movement", id, objects: idsOf(paymentIntentId, sourceId, subscriptionId) } as const;
    const sum = moneyText(Math.abs(amount), currency);
    return [
      {
        ...entry,
        ...told(
          `${nameOf(movement.type)} of ${sum}${clientReferenceId === null ? "" : `, order ${clientReferenceId}`}.`,
          `${MOVEMENTS_RU[movement.type ?? ""] ?? "Движение"}: ${sum}${clientReferenceId === null ? "" : `, заказ ${clientReferenceId}`}.`,
        ),
        at: withinSecond(transactionDate, ours),
        help: null,
      },
      {
        ...entry,
        ...told(
          `Its status at the processor was ${movement.status}.`,
          `Состояние у платёжной системы: ${STATUSES_RU[movement.status] ?? movement.status}.`,
          isLost ? ["It has no owner.", "У него нет владельца."] : null,
        ),
        at: Math.max(updatedAt, withinSecond(transactionDate, ours)),
        help: isLost && asked !== null ? helpByCall("ledger refresh", { environment: movement.environment, id: asked }) : null,
      },
    ];
  });
}

/** The processor's times are in seconds. Within one second, its reports come after our own entries. */
function withinSecond(second: number, ours: readonly number[]): number {
  return Math.max(second, ...ours.filter((at) => at - (at % SECOND) === second));
}

const MOVEMENTS_RU: Readonly<Record<string, string>> = {
  processor_payment_in: "Платёж",
  processor_payment_failure: "Отмена платежа",
  processor_refund: "Возврат",
  processor_refund_failure: "Неудавшийся возврат",
  processor_dispute_freeze: "Спор",
  processor_dispute_return: "Возвращено после спора",
};

const STATUSES_RU: Readonly<Record<string, string>> = {
  completed: "проведён",
  pending: "в обработке",
  failed: "не прошёл",
  refunded: "возвращён",
  disputed: "оспаривается",
  dispute_won: "спор выигран",
  active: "действует",
  trialing: "пробный период",
  past_due: "платёж просрочен",
  unpaid: "не оплачена",
  canceled: "отменена",
  incomplete: "не начата",
  incomplete_expired: "не начата в срок",
  paused: "на паузе",
};

/** `processor_payment_in` is a payment. */
function nameOf(type: string | null): string {
  const words = (type ?? "movement")
    .replace(/^processor_/, "")
    .replace(/_in$/, "")
    .replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function tellSubscriptions({ subscriptions }: OrderHistory): StoryEntry[] {
  return [...subscriptions.values()].map((one) => ({
    ...told(
      `The subscription's last known status is ${one.status}${endOf(one, "to end with its period", "to end at")}.`,
      `Последнее известное состояние подписки: ${STATUSES_RU[one.status] ?? one.status}${endOf(one, "закончится с периодом", "закончится")}.`,
    ),
    help: null,
    at: one.updatedAt,
    kind: "subscription",
    id: one.id,
    objects: idsOf(one.paymentLinkId),
  }));
}

interface Scheduled {
  readonly cancelAtPeriodEnd: boolean;
  readonly cancelAt: number | null;
}

function endOf({ cancelAtPeriodEnd, cancelAt }: Scheduled, withPeriod: string, at: string): string {
  if (cancelAtPeriodEnd) return `, ${withPeriod}`;
  return cancelAt === null ? "" : `, ${at} ${isoTime(cancelAt)}`;
}

/** A refund that an operator entered stands among the bank's messages. */
const isEntered = ({ id }: { readonly id: string }): boolean => id.startsWith(ENTERED);

const REPEATED = "It came twice: two equal parts were given back, or one was reported twice. The receipts say which.";

function tellBankOrders({ bankOrders }: OrderHistory): StoryEntry[] {
  return [...bankOrders].flatMap(([orderId, { payment, notifications }]) => [
    ...(payment === null ? [] : tellBankPayment(payment)),
    ...notifications.map((one): StoryEntry => {
      const problem = one.problem ?? (payment === null ? "none of our payments has this order" : null);
      return {
        at: one.receivedAt,
        kind: "bank_notification",
        id: one.id,
        objects: [orderId],
        says: isEntered(one)
          ? `An operator entered a part that was given back (terminal ${one.terminal}, ${one.environment}).`
          : `The bank reported ${one.status} (terminal ${one.terminal}, ${one.environment}).`,
        wrong: problem === null ? null : problem === "refund_repeated" ? REPEATED : `It was not applied: ${problem}.`,
        help:
          problem === null
            ? null
            : payment === null
              ? helpByCall("bank-notifications waiting", {})
              : helpByCall("bank-orders refresh", { order: orderId }),
      };
    }),
  ]);
}

type BankPayment = NonNullable<
  OrderHistory["bankOrders"] extends ReadonlyMap<string, infer One extends { payment: unknown }> ? One["payment"] : never
>;

function tellBankPayment(payment: BankPayment): StoryEntry[] {
  const { orderId, bankPaymentId, amountKopecks, externalOrderId, createdAt, paidAt, updatedAt, status } = payment;
  const entry = { help: null, kind: "bank_payment", id: orderId, objects: [bankPaymentId] } as const;
  const sum = moneyText(amountKopecks, "RUB");
  const opened = told(
    `A payment of ${sum} was opened at the bank${externalOrderId === null ? "" : `, order ${externalOrderId}`}.`,
    `В банке открыт платёж на ${sum}${externalOrderId === null ? "" : `, заказ ${externalOrderId}`}.`,
  );
  const paid = told("The bank said that it was paid.", "Банк сообщил об оплате.");
  return [
    { ...entry, ...opened, at: createdAt },
    ...(paidAt === null ? [] : [{ ...entry, ...paid, at: paidAt }]),
    ...(updatedAt === createdAt
      ? []
      : [{ ...entry, ...told(`Its status at the bank was ${status}.`, `Состояние в банке: ${status}.`), at: updatedAt }]),
  ];
}
