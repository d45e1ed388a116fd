import { type Environment, environments } from "./environment.ts";

/** A new random id with its type as the prefix, for example `evt_5b0c…` (128 random bits). */
export function newId(prefix: string): string {
  return `${prefix}_${crypto.randomUUID().replaceAll("-", "")}`;
}

/**
 * The id of a partner's webhook endpoint. The first one of an environment, which operation 10 registers, has no code, so its id is
 * computed without a query; a further one has the code that it was given when it was added.
 */
export function endpointIdOf(partnerId: string, environment: Environment, code = ""): string {
  return `ep_${partnerId}_${environment}${code === "" ? "" : `.${code}`}`;
}

/** The code of the endpoint that is a partner's chat. */
export const CHAT_CODE = "chat";
/** The form of the code of a further endpoint: six characters of a webhook, five of an e-mail address. */
const ENDPOINT_CODE = /^(?:[0-9a-z]{6}|[0-9a-f]{5}|chat)$/;
/** The length of the code of an endpoint that is an e-mail address. No webhook has as many characters. */
export const MAIL_CODE_LENGTH = 5;

/** The partner, the environment and the code in an endpoint id; null if the text is not an endpoint id. */
export function endpointIn(id: string): { readonly partnerId: string; readonly environment: Environment; readonly code: string } | null {
  const point = id.indexOf(".");
  const [own, code] = point === -1 ? [id, ""] : [id.slice(0, point), id.slice(point + 1)];
  const environment = environments.find((one) => own.endsWith(`_${one}`));
  if (environment === undefined || !own.startsWith("ep_") || (point !== -1 && !ENDPOINT_CODE.test(code))) return null;
  return { partnerId: own.slice("ep_".length, -`_${environment}`.length), environment, code };
}

/** Whether an endpoint is a channel for people, the chat or an e-mail address, also one that was removed: its code says so. */
export function isForPeople(endpointId: string): boolean {
  const code = endpointIn(endpointId)?.code ?? "";
  return code === CHAT_CODE || code.length === MAIL_CODE_LENGTH;
}

/** How its partner names an endpoint: `live`, `live.k3f9a2`. Throws for an id that is none of an endpoint. */
export function endpointNameIn(id: string): string {
  const known = endpointIn(id);
  if (known === null) throw new Error(`${id} is no id of an endpoint`);
  return known.code === "" ? known.environment : `${known.environment}.${known.code}`;
}

/** A new code of a further endpoint: 31 random bits. A partner has few of them, and none gets the code of a removed one. */
export function newEndpointCode(): string {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  return (random % 36 ** 6).toString(36).padStart(6, "0");
}

/**
 * The event in the id of a delivery. The delivery to the first endpoint has the id of its event; a further endpoint's has that id
 * and the code of the endpoint behind a point.
 */
export const eventInDelivery = (deliveryId: string): string => deliveryId.split(".", 1)[0] ?? deliveryId;

/** The partner in an endpoint id; null if the text is not an endpoint id. */
export const partnerOfEndpoint = (id: string): string | null => endpointIn(id)?.partnerId ?? null;

const SMALLEST = 10 ** 14;

/** A new random numeric id of 15 digits. Every language with 64-bit integers or doubles represents it exactly. */
export function newNumericId(): number {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
  // 53 random bits for a range of less than 50 bits: the modulo bias is negligible.
  return SMALLEST + (((high & 0x1f_ff_ff) * 2 ** 32 + low) % (9 * SMALLEST));
}
