import { type Environment, environments } from "./environment.ts";

/** A new random id with its type as the prefix, for example `evt_5b0c…` (128 random bits). */
export function newId(prefix: string): string {
  return `${prefix}_${crypto.randomUUID().replaceAll("-", "")}`;
}

/** The id of a request, for support: 64 random bits. Each record stores one permanently, so it is short. */
export function newRequestId(): string {
  return crypto.randomUUID().replaceAll("-", "").slice(0, 16);
}

/** The id of a partner's webhook endpoint. A partner has one per environment, so the id is computed without a query. */
export function endpointIdOf(partnerId: string, environment: Environment): string {
  return `ep_${partnerId}_${environment}`;
}

/** The partner and the environment in an endpoint id; null if the text is not an endpoint id. */
export function endpointIn(id: string): { readonly partnerId: string; readonly environment: Environment } | null {
  const environment = environments.find((one) => id.endsWith(`_${one}`));
  if (environment === undefined || !id.startsWith("ep_")) return null;
  return { partnerId: id.slice("ep_".length, -`_${environment}`.length), environment };
}

/** The partner in an endpoint id; null if the text is not an endpoint id. */
export const partnerOfEndpoint = (id: string): string | null => endpointIn(id)?.partnerId ?? null;

const SMALLEST = 10 ** 14;

/** A new random numeric id of 15 digits. Every language with 64-bit integers or doubles represents it exactly. */
export function newNumericId(): number {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
  // 53 random bits for a range of less than 50 bits: the modulo bias is negligible.
  return SMALLEST + (((high & 0x1f_ff_ff) * 2 ** 32 + low) % (9 * SMALLEST));
}
