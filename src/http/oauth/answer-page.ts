import type { Context } from "hono";
import { html } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import type { AppEnv } from "../context.ts";

interface PageOptions {
  readonly status?: 200 | 400 | 403 | 413 | 429;
  /** Headers of the library: the cookies that bind the page to its browser. */
  readonly headers?: Headers;
}

/**
 * Answers with a sign-in page. It loads nothing, runs no script, cannot be framed, and its forms lead to this host
 * only.
 */
export async function answerPage(
  context: Context<AppEnv>,
  { status = 200, headers }: PageOptions,
  page: (nonce: string) => HtmlEscapedString | Promise<HtmlEscapedString>,
): Promise<Response> {
  const nonce = crypto.randomUUID();
  const answer = await context.html(html`<!doctype html>${await page(nonce)}`, status);
  for (const cookie of headers?.getSetCookie() ?? []) answer.headers.append("Set-Cookie", cookie);
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;
  answer.headers.set("Content-Security-Policy", policy);
  answer.headers.set("Cache-Control", "no-store");
  answer.headers.set("X-Frame-Options", "DENY");
  answer.headers.set("X-Content-Type-Options", "nosniff");
  answer.headers.set("Referrer-Policy", "no-referrer");
  answer.headers.set("X-Robots-Tag", "noindex, nofollow");
  return answer;
}
