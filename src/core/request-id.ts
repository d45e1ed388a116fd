/** The id of a request, for support: 64 random bits. Each record stores one permanently, so it is short. */
export function newRequestId(): string {
  return crypto.randomUUID().replaceAll("-", "").slice(0, 16);
}
