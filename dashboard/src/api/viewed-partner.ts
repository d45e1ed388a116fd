const [, base = null, viewed = null] = /^(\/ops\/console\/view\/([a-z0-9-]+))(?:\/|$)/.exec(globalThis.location.pathname) ?? [];

/** The partner whose dashboard an operator looks at; null for the partner's own people. */
export const viewedPartner: string | null = viewed;

/** What stands before the addresses of the pages. */
export const pagesBase: string = base ?? "/dashboard";

/** What stands before the paths of the partner's calls: an operator makes the reading ones in the partner's name. */
export const callsBase: string = viewed === null ? "" : `/ops/partners/${viewed}/view`;
