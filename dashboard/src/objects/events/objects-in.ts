/** The ids in an event's body that have a page, with the names of their fields. */
export function objectsIn(message: Readonly<Record<string, unknown>>): readonly (readonly [name: string, id: string])[] {
  const found = new Map<string, string>();
  const look = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      if (typeof inner === "string" && /^(?:pi|plink|sub)_\w+$/.test(inner)) found.set(inner, name);
      else look(inner);
    }
  };
  look(message);
  return [...found].map(([id, name]) => [name, id]);
}
