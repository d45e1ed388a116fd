import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { pageOfId } from "../objects/pages.ts";

/** The pages of products, whose addresses are of each application. */
let ofProducts: readonly [form: RegExp, page: string] | null = null;

/** Sets the form of products' ids, and their page. */
export function setProductPages(form: RegExp, page: string): void {
  ofProducts = [form, page];
}

/** The page of an object by its id; null for an id without a page. */
function pageOf(id: string): { readonly to: string } | null {
  const to = ofProducts?.[0].test(id) === true ? `${ofProducts[1]}${id}` : pageOfId(id);
  return to === null ? null : { to };
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
