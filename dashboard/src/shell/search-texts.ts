/** The search of an address as texts, as they stand there: an order reference of digits is no number. For a router. */
export const searchTexts = {
  parseSearch: (text: string) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search: Record<string, unknown>) => {
    const set = Object.entries(search).filter((entry): entry is [string, string] => typeof entry[1] === "string");
    return set.length === 0 ? "" : `?${new URLSearchParams(set).toString()}`;
  },
};
