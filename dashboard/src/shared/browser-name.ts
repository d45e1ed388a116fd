const BROWSERS = [
  [/Edg\//, "Edge"],
  [/Firefox\//, "Firefox"],
  [/Chrome\//, "Chrome"],
  [/Safari\//, "Safari"],
] as const;
const SYSTEMS = [
  [/iPhone|iPad/, "iOS"],
  [/Android/, "Android"],
  [/Mac OS X/, "macOS"],
  [/Windows/, "Windows"],
  [/Linux/, "Linux"],
] as const;

/** A browser in two words, from what it says of itself. */
export function browserName(agent: string): string {
  const nameIn = (names: readonly (readonly [RegExp, string])[]) => names.find(([pattern]) => pattern.test(agent))?.[1];
  return [nameIn(BROWSERS), nameIn(SYSTEMS)].filter((name) => name !== undefined).join(", ") || agent;
}
