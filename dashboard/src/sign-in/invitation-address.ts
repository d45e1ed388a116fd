/** Where invitations are opened. */
const PATH = "/dashboard/invitation";

/** A token has 64 hexadecimal digits. */
const TOKEN = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/;

/** The address as the browser has it. */
interface Address {
  readonly pathname: string;
  readonly hash: string;
}

/**
 * The token of an invitation in an address, whatever a mail program or a person has left around it: a full stop, a bracket, a sign that was
 * encoded. Empty if a part is missing.
 */
export function invitationTokenIn({ pathname, hash }: Address): string {
  return TOKEN.exec(`${pathname}${hash}`.replaceAll("%23", "#"))?.[0] ?? "";
}

/** The address that an invitation has, where the sign before its token was encoded; null if this address needs no change. */
export function mendedAddress(address: Address): string | null {
  const { pathname } = address;
  return pathname !== PATH && pathname.startsWith(PATH) ? `${PATH}#${invitationTokenIn(address)}` : null;
}
