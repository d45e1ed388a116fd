import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { addressOf } from "./address.ts";

/** The link of a row to its page, in the row's first cell. */
export function RowLink({ to, children }: { readonly to: string; readonly children: ReactNode }) {
  return (
    <Link {...addressOf(to)} className="row-link">
      {children}
    </Link>
  );
}
