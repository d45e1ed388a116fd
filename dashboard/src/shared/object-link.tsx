import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

/** The pages of objects by the form of their ids: each application says its own when it starts. */
let pages: readonly (readonly [id: RegExp, page: string])[] = [];

export function setPagesOfObjects(own: typeof pages): void {
  pages = own;
}

/** The id of an event of ours, with the code of its cell. Those of the processor begin with the same letters. */
export const OWN_EVENT = /^evt_[0-9a-z]{2}[0-9a-f]{30}$/;

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
