import type { english } from "./en.ts";

/** Texts of any words in the shape of some: each text a text, each function one of the same parameters. */
type AnyWords<Said> = Said extends string
  ? string
  : Said extends (...given: infer Given) => string
    ? (...given: Given) => string
    : { readonly [Name in keyof Said]: AnyWords<Said[Name]> };

/** The texts of the pages, in any language. None may be missing. */
export type Texts = AnyWords<typeof english>;
