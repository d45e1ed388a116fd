import type { Context } from "hono";
import { languageOf } from "../../src/http/short-domain/pages.ts";

type Language = "en" | "ru";

const english = {
  order: "Your order",
  total: "Total",
  discount: "Discount",
  email: "E-mail",
  method: "Pay by",
  code: "Promotion code",
  apply: "Apply",
  pay: "Pay",
  payInApp: "Pay in your bank's app",
  card: "Card payment",
  fast: "Fast payment",
  slowly: "Pay by a method that takes days",
  decline: "Have the payment declined",
  secure: "Secure payment",
  noMoney: "A sandbox: no money moves.",
  receipt: (to: string) => `The receipt goes to ${to}.`,
  outcomes: { succeeded: "Thank you, you have paid", pending: "Your payment is on its way", failed: "The payment was declined" },
  details: {
    succeeded: "You can close this page.",
    pending: "The shop gets a message as soon as the money has come.",
    failed: "Nothing was charged. You can try again, or choose another way to pay.",
  },
  again: "Try again",
  toSandbox: "See the order in the sandbox",
  over: "This payment can no longer be paid.",
  paid: "This payment is paid.",
  noLink: "There is no such payment link",
  inactive: "This payment link is no longer active",
  noPayment: "There is no such payment",
  wasReset: "The sandbox may have been reset since it was made.",
  every: (count: number, interval: string) => (count === 1 ? `every ${interval}` : `every ${count} ${interval}s`),
};

const russian: typeof english = {
  order: "Ваш заказ",
  total: "Итого",
  discount: "Скидка",
  email: "Электронная почта",
  method: "Способ оплаты",
  code: "Промокод",
  apply: "Применить",
  pay: "Оплатить",
  payInApp: "Оплатить в приложении банка",
  card: "Оплата картой",
  fast: "Система быстрых платежей",
  slowly: "Оплатить способом, который занимает дни",
  decline: "Отклонить оплату",
  secure: "Безопасная оплата",
  noMoney: "Песочница: деньги не списываются.",
  receipt: (to) => `Чек придёт на ${to}.`,
  outcomes: { succeeded: "Спасибо, оплата прошла", pending: "Оплата обрабатывается", failed: "Оплата не прошла" },
  details: {
    succeeded: "Страницу можно закрыть.",
    pending: "Магазин узнает об оплате, как только деньги поступят.",
    failed: "Деньги не списаны. Попробуйте ещё раз или выберите другой способ оплаты.",
  },
  again: "Попробовать ещё раз",
  toSandbox: "Посмотреть заказ в песочнице",
  over: "Этот платёж больше нельзя оплатить.",
  paid: "Этот платёж оплачен.",
  noLink: "Такой ссылки на оплату нет",
  inactive: "Эта ссылка на оплату больше не действует",
  noPayment: "Такого платежа нет",
  wasReset: "Возможно, песочницу с тех пор очистили.",
  every: (count, interval) => `каждые ${count} ${RUSSIAN_INTERVALS[interval] ?? interval}`,
};

const RUSSIAN_INTERVALS: Readonly<Record<string, string>> = { day: "дн.", week: "нед.", month: "мес.", year: "г." };

/** The texts of a customer's page in the browser's preferred language. */
export function textsFor(context: Context): { readonly language: Language; readonly say: typeof english } {
  const language = languageOf(context.req.header("Accept-Language"), ["en", "ru"] as const, "en");
  return { language, say: language === "ru" ? russian : english };
}
