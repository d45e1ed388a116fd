import { useRouter } from "@tanstack/react-router";
import type { ReactNode } from "react";

interface RowLinkProps {
  /** Null: the row has no page, and its text stands alone. */
  readonly to: string | null;
  /** Its name for a screen reader, where the shown text tells no row from another. It begins with that text. */
  readonly label?: string | undefined;
  readonly children: ReactNode;
}

/**
 * The link of a row to its page, in the row's first cell. A plain link: the table follows it, and the browser opens it in
 * another tab. It keeps the environment of the page.
 */
export function RowLink({ to, label, children }: RowLinkProps) {
  const { basepath } = useRouter();
  if (to === null) return children;
  const environment = new URLSearchParams(globalThis.location.search).get("env");
  const query = environment === null || /[?&]env=/.test(to) ? "" : `${to.includes("?") ? "&" : "?"}env=${environment}`;
  return (
    <a href={`${basepath}${to}${query}`} className="row-link" aria-label={label}>
      {children}
    </a>
  );
}
