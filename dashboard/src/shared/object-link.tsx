import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

/** The pages of objects by the prefix of their ids: each application says its own when it starts. */
let pages: Readonly<Record<string, string>> = {};

export function setPagesOfObjects(own: Readonly<Record<string, string>>): void {
  pages = own;
}

/** The page of an object by the prefix of its id; null for an id without a page. */
export function pageOf(id: string): { readonly to: string } | null {
  const page = Object.entries(pages).find(([prefix]) => id.startsWith(prefix) && /^\w+$/.test(id));
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
