/**
 * The address by which somebody is counted. Of IPv6 the network, its first 64 bits: whoever has one has all addresses in it.
 */
export function countedAddress(address: string): string {
  if (!address.includes(":")) return address;
  const [before = "", after] = address.toLowerCase().split("::");
  const head = before === "" ? [] : before.split(":");
  const tail = after === undefined || after === "" ? [] : after.split(":");
  const zeros = after === undefined ? [] : Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => "0");
  const groups = [...head, ...zeros, ...tail].map((group) => group.replace(/^0+(?=.)/, ""));
  // An IPv4 address within IPv6 is one of its own.
  return groups.at(-1)?.includes(".") === true ? (groups.at(-1) ?? "") : `${groups.slice(0, 4).join(":")}::/64`;
}
