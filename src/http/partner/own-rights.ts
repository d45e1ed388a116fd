import { type Caller, holderName } from "../../partners/authenticate.ts";
import { type Right, rightsBeyond } from "../../partners/permissions.ts";
import { CallRefusal } from "../calls/refusal.ts";

/**
 * A giver has what it gives, and only a person who is signed in gives `owner`: what a stolen key can do ends with the key.
 * `before`: what the receiver has already. @throws CallRefusal 403 that names the rights that the caller cannot give.
 */
export function requireOwnRights({ permissions, holder }: Caller, wanted: readonly Right[], before: readonly Right[] = []): void {
  if (holder.kind !== "person" && wanted.includes("owner") && !before.includes("owner"))
    throw new CallRefusal(403, "A key gives no one `owner`: a person who is signed in does. Leave `owner` out.");
  const beyond = rightsBeyond(permissions, wanted, before);
  if (beyond.length === 0) return;
  const giver = holder.kind === "person" ? "You" : "Your key";
  throw new CallRefusal(403, `${giver} cannot give ${beyond.join(", ")} without having it (${holderName(holder)}).`);
}

/** Whether the wanted rights include one that the receiver has not. */
export function isWider(wanted: readonly Right[], before: readonly Right[]): boolean {
  return wanted.some((right) => !before.includes(right));
}
