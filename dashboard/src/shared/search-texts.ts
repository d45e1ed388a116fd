import { useParams, useSearch } from "@tanstack/react-router";

export type Texts = Readonly<Record<string, string | undefined>>;

/** The texts in an object of the address. */
export function textsIn(value: unknown): Texts {
  if (typeof value !== "object" || value === null) return {};
  return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}

/** What stands in the address behind the question mark: filters, a page, a tab. */
export function useSearchTexts(): Texts {
  const search: unknown = useSearch({ strict: false });
  return textsIn(search);
}

/** An id in the path of the address. */
export function useIdInPath(name: string): string {
  const params: unknown = useParams({ strict: false });
  return textsIn(params)[name] ?? "";
}
