/** The prefix of an IPv6 network in 16-bit groups, as text. A /56 ends within its fourth group. */
function networkOf(groups: readonly string[], bits: 48 | 56 | 64): string {
  const [first = "0", second = "0", third = "0", fourth = "0"] = groups;
  if (bits === 48) return `${first}:${second}:${third}::/48`;
  const last = bits === 64 ? fourth : fourth.padStart(4, "0").slice(0, 2);
  return `${first}:${second}:${third}:${last}::/${bits}`;
}

/**
 * The networks that count for an address, smallest first. For IPv4 it is the address itself. The holder of an IPv6
 * network has all its addresses, and providers assign /64, /56 and /48.
 */
export function countedNetworks(address: string): readonly [string, ...string[]] {
  if (!address.includes(":")) return [address];
  const [before = "", after] = address.toLowerCase().split("::");
  const head = before === "" ? [] : before.split(":");
  const tail = after === undefined || after === "" ? [] : after.split(":");
  const zeros = after === undefined ? [] : Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => "0");
  const groups = [...head, ...zeros, ...tail].map((group) => group.replace(/^0+(?=.)/, ""));
  // An IPv4-mapped IPv6 address counts as itself.
  if (groups.at(-1)?.includes(".") === true) return [groups.at(-1) ?? ""];
  return [networkOf(groups, 64), networkOf(groups, 56), networkOf(groups, 48)];
}
