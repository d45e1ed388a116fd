import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

/** The pages of objects by the form of their ids. */
let pages: readonly (readonly [id: RegExp, page: string])[] = [
  [/^(?:pi|cs)_\w+$|^[0-9a-z]{2}[0-9a-f]{30}$/, "/orders/"],
  [/^plink_\w+$/, "/links/"],
  [/^sub_\w+$/, "/subscriptions/"],
  [/^promo_\w+$/, "/promotion-codes/"],
  // With the code of its cell: the processor's events begin with the same letters.
  [/^evt_[0-9a-z]{2}[0-9a-f]{30}$/, "/events/"],
];

/** Adds the pages that only one application has. */
export function addPagesOfObjects(...own: typeof pages): void {
  pages = [...pages, ...own];
}

/** The page of an object by its id; null for an id without a page. */
function pageOf(id: string): { readonly to: string } | null {
  const page = pages.find(([form]) => form.test(id));
  return page === undefined ? null : { to: `${page[1]}${id}` };
}

/** An id as a link to its page, or as a text. */
export function ObjectLink({ id, children }: { readonly id: string; readonly children?: ReactNode }) {
  const page = pageOf(id);
  if (page === null) return <span className="id">{children ?? id}</span>;
  return (
    <Anchor renderRoot={(props) => <Link {...page} {...props} />} className="id">
      {children ?? id}
    </Anchor>
  );
}
