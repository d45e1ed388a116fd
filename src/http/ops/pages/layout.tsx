import { raw } from "hono/html";
import type { Child } from "hono/jsx";
import { STYLE } from "./style.ts";

/** The pages that the head of every page leads to. */
const NAVIGATION = [
  ["/ops/", "Overview"],
  ["/ops/pages/partners-list", "Partners"],
  ["/ops/pages/products-waiting", "Moderation"],
  ["/ops/pages/endpoints-list", "Webhooks"],
  ["/ops/pages/ledger-show", "Ledger"],
  ["/ops/pages/bank-show", "Bank"],
  ["/ops/pages/figures", "Figures"],
  ["/ops/pages/audit-list", "Audit"],
] as const;

interface PageProps {
  readonly title: string;
  readonly nonce: string;
  /** Who operates; null on the page where they sign in. */
  readonly operator: string | null;
  readonly searched?: string | undefined;
  readonly children?: Child;
}

/** A whole page. It works without script, and loads nothing. */
export function Page({ title, nonce, operator, searched = "", children }: PageProps) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{title}</title>
        <style nonce={nonce}>{raw(STYLE)}</style>
      </head>
      <body>
        <a class="skip" href="#content">
          To the content
        </a>
        {operator === null ? null : (
          <header>
            <nav aria-label="Pages">
              {NAVIGATION.map(([address, name]) => (
                <a href={address}>{name}</a>
              ))}
            </nav>
            <search>
              <form action="/ops/pages/story" method="get">
                <input
                  name="q"
                  value={searched}
                  required
                  aria-label="Search"
                  placeholder="Order reference, link, pi_, evt_, token, address …"
                />
                <button type="submit">Search</button>
              </form>
            </search>
            <form action="/ops/logout" method="post" class="leave">
              <button type="submit">Sign {operator} out</button>
            </form>
          </header>
        )}
        <main id="content">
          <h1>{title}</h1>
          {children}
        </main>
      </body>
    </html>
  );
}
