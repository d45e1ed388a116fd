export { createClient, type PartnerPayments } from "./client.ts";
export { type ReceivedHeaders, SignatureError, verifyEvent } from "./events.ts";
export { type FailureFacts, PaymentsError, type Repeat } from "./failure.ts";
export { isFailureOf } from "./is-failure-of.ts";
export type { CallOptions, ClientOptions, Pages } from "./send.ts";
export type { Answer, FailureCode, Input, PartnerEvent, Row } from "./types.ts";
