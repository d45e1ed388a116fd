import { disputes } from "../objects/disputes/list.tsx";
import { events } from "../objects/events/list.tsx";
import { links } from "../objects/links/list.tsx";
import { listPage } from "../objects/list-page.tsx";
import { movements } from "../objects/movements/list.tsx";
import { orders } from "../objects/orders/list.tsx";
import { promotionCodes } from "../objects/promotion-codes/list.tsx";
import { rublePayments } from "../objects/ruble-payments/list.tsx";
import { subscriptions } from "../objects/subscriptions/list.tsx";
import { texts } from "../texts/index.ts";
import { words } from "./texts.ts";

export const OrdersPage = listPage(orders, words.orders.about);
export const DisputesPage = listPage(disputes, words.disputes.about);
export const MovementsPage = listPage(movements, words.payments.about);
export const LinksPage = listPage(links, words.links.about);
export const CodesPage = listPage(promotionCodes, words.codes.about);
export const SubscriptionsPage = listPage(subscriptions, words.subscriptions.about);
export const RublePaymentsPage = listPage(rublePayments, words.rublePayments.about);
/** Events: the list is named by their deliveries where it stands beside a webhook. */
export const EventsPage = listPage(events, words.events.about, { title: texts.webhooks.kinds });
