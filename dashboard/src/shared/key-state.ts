/** A key, as either audience's list has it. */
interface Key {
  readonly revoked_at: string | null;
  readonly expires_at: string | null;
}

/** Whether a key works now. */
export function stateOfKey({ revoked_at, expires_at }: Key): "active" | "expired" | "revoked" {
  if (revoked_at !== null) return "revoked";
  return expires_at !== null && new Date(expires_at) < new Date() ? "expired" : "active";
}
