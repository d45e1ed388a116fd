import { useRouter } from "@tanstack/react-router";
import type { ReactNode } from "react";

/**
 * The link of a row to its page, in the row's first cell. A plain link: the table follows it, and the browser opens it in
 * another tab. It keeps the environment of the page.
 */
export function RowLink({ to, children }: { readonly to: string; readonly children: ReactNode }) {
  const { basepath } = useRouter();
  const environment = new URLSearchParams(globalThis.location.search).get("env");
  const query = environment === null || /[?&]env=/.test(to) ? "" : `${to.includes("?") ? "&" : "?"}env=${environment}`;
  return (
    <a href={`${basepath}${to}${query}`} className="row-link">
      {children}
    </a>
  );
}
