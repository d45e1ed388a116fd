/** Filters whose values are of one environment: another one begins without them. */
export const OF_ENVIRONMENT: readonly string[] = ["webhook", "product"];

/**
 * A page of ours with its filters, as the router takes it: from `/webhooks?state=exhausted`. The environment stays. Where the filters were
 * left in the other one, those that are of an environment are left out.
 */
export function addressOf(page: string): { readonly to: string; readonly search: (before: object) => Record<string, string | undefined> } {
  const [to = "/", query = ""] = page.split("?");
  const { [LEFT_IN]: leftIn, ...wanted } = Object.fromEntries(new URLSearchParams(query));
  return {
    to,
    search(before) {
      const own = environmentOf(before);
      const isOther = leftIn !== undefined && leftIn !== (own.env ?? "");
      const kept = Object.entries(wanted).filter(([name]) => !isOther || !OF_ENVIRONMENT.includes(name));
      return { ...own, ...Object.fromEntries(kept) };
    },
  };
}

/** Says in the address of a list as it was left in which environment that was. */
const LEFT_IN = "left-in";

/** The address of a list as it was left stands here in the browser's tab, by its page: it survives a reload. */
const LIST = "list ";
const placeOf = (page: string): string => `${LIST}${page}`;

/** The page that was shown last, or the tab of it. */
let shown: string | undefined;

export const tabOf = (page: string, tab: string | undefined): string => (tab === undefined ? page : `${page}?tab=${tab}`);

/** Notes the filters of a list, which stands on a page or on a tab of it. The environment is that of the page that leads back. */
export function noteList(page: string, search: Readonly<Record<string, string | undefined>>): void {
  // The way back is a new visit: it begins at the first rows, and what was before it is not the page before of the list.
  const { env = "", cursor: _, ...kept } = search;
  const filters = Object.entries(kept).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  const set = filters.some(([name = ""]) => OF_ENVIRONMENT.includes(name)) ? [...filters, [LEFT_IN, env]] : filters;
  sessionStorage.setItem(placeOf(tabOf(page, search.tab)), set.length === 0 ? page : `${page}?${new URLSearchParams(set).toString()}`);
}

/** The address of a list as a person left it, with its filters; the page, or the tab of it, itself where it was not seen yet. */
export const asLeft = (page: string): string => sessionStorage.getItem(placeOf(page)) ?? page;

/** Forgets how lists were left, when another person or another partner is next: filters may name customers. The tokens of requests stay there. */
export function forgetLists(): void {
  for (const place of Object.keys(sessionStorage)) if (place.startsWith(LIST)) sessionStorage.removeItem(place);
}

/** Shows the start of the dashboard to another person who has signed in: the address and the lists as they were left are not theirs. */
export function beginAnew(): void {
  forgetLists();
  globalThis.location.replace("/dashboard");
}

/** Notes the page that is shown. */
export function noteShown(page: string, tab: string | undefined): void {
  shown = tabOf(page, tab);
}

/** Of several lists that lead to a page, the one from which a person comes; the first where it is another page. For its first rendering. */
export const cameFrom = <List extends { readonly to: string }>(lists: readonly [List, ...List[]]): List =>
  lists.find(({ to }) => to === shown) ?? lists[0];

function environmentOf(search: object): { readonly env?: string } {
  return "env" in search && typeof search.env === "string" ? { env: search.env } : {};
}
