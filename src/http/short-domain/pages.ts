import { html } from "hono/html";
import { parseAccept } from "hono/utils/accept";
import type { LinkSettings } from "../../short-links/link-settings.ts";
import type { ClosedLink } from "../../short-links/store.ts";
import { HEADERS } from "./redirect.ts";
import { languages, rightToLeft, texts } from "./texts.ts";

/** The best of the languages by an `Accept-Language`: its order and weights decide, and `pt-BR` is `pt`. */
export function languageOf<Language extends string>(
  header: string | null | undefined,
  known: readonly Language[],
  otherwise: Language,
): Language {
  const wanted = parseAccept(header ?? "")
    .filter(({ q }) => q > 0)
    .map(({ type }) => type.split("-")[0]?.toLowerCase());
  return wanted.flatMap((tag) => known.find((language) => language === tag) ?? [])[0] ?? otherwise;
}

/** The request that a page answers, and whose page it is. */
export interface Asked {
  readonly request: Request;
  readonly requestId: string;
  readonly brand: LinkSettings["brand"];
  /** The start of the id of the Worker's version; empty if it is unknown. */
  readonly version: string;
}

const textsFor = ({ request }: Asked) => {
  const language = languageOf(request.headers.get("Accept-Language"), languages, "en");
  return { language, ...texts[language] };
};

/** 404 page for an unknown link, in the best language from `Accept-Language` (interface L.3). */
export function unknownLinkPage(asked: Asked): Promise<Response> {
  const { title, body } = textsFor(asked);
  return page(asked, 404, { title, body });
}

/** 410 page for a link that its limits have closed: paid, with what the customer needs of the payment, or over. */
export function closedLinkPage(asked: Asked, { closed, reference, receipt }: Omit<ClosedLink, "partnerId">): Promise<Response> {
  const { paid, paidOnce, order, receipt: shown, over, noMore } = textsFor(asked);
  if (closed === "over") return page(asked, 410, { title: over, body: noMore });
  const link = receipt !== null && /^https?:\/\//.test(receipt) ? { href: receipt, text: shown } : null;
  return page(asked, 410, { title: paid, body: paidOnce, note: reference === null ? null : `${order}: ${reference}`, link });
}

/** 503 page for a link that could not be resolved because of an error on our side. */
export function failurePage(asked: Asked): Promise<Response> {
  const { failed, unharmed, again } = textsFor(asked);
  return page(asked, 503, { title: failed, body: unharmed, link: { href: "", text: again } });
}

/** 429 page for an address that asked for too many unknown links. `retryAfter` is in seconds. */
export function tooManyPage(asked: Asked, retryAfter: number): Promise<Response> {
  const { busy, later, again } = textsFor(asked);
  return page(asked, 429, { title: busy, body: later, link: { href: "", text: again } }, { "Retry-After": String(retryAfter) });
}

interface Said {
  readonly title: string;
  readonly body: string;
  /** A line below. */
  readonly note?: string | null;
  /** A link below; an empty address is that of the page. */
  readonly link?: { readonly href: string; readonly text: string } | null;
}

/** The page loads no external resources, and has no script. */
async function page(
  asked: Asked,
  status: number,
  { title, body, note = null, link = null }: Said,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const { language } = textsFor(asked);
  const { name, color } = asked.brand;
  const nonce = crypto.randomUUID();
  const text = await html`<!doctype html>
<html lang="${language}" dir="${rightToLeft.has(language) ? "rtl" : "ltr"}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <title>${title}</title>
    <style nonce="${nonce}">
      :root { color-scheme: light dark; }
      body { margin: 0; min-height: 100dvh; display: grid; place-items: center; font: 1.0625rem/1.6 system-ui, sans-serif;
        border-top: 0.5rem solid ${color}; box-sizing: border-box; }
      main { max-width: 30rem; padding: 2rem; }
      h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 1rem; text-wrap: balance; }
      p { margin: 0 0 1rem; }
      .name { font-weight: 600; }
      a { color: inherit; display: inline-block; border: 1px solid; border-radius: 0.5rem; padding: 0.5rem 1rem; text-decoration: none; }
      a:hover { text-decoration: underline; }
    </style>
  </head>
  <body>
    <main>
      ${name === null ? "" : html`<p class="name">${name}</p>`}
      <h1>${title}</h1>
      <p>${body}</p>
      ${note === null ? "" : html`<p>${note}</p>`}
      ${link === null ? "" : html`<a href="${link.href}">${link.text}</a>`}
    </main>
  </body>
</html>`;
  return new Response(asked.request.method === "HEAD" ? null : text.toString(), {
    status,
    headers: {
      ...HEADERS,
      ...headers,
      "Content-Type": "text/html; charset=UTF-8",
      "Content-Language": language,
      "Content-Security-Policy": `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      Vary: "Accept-Language",
      "X-Frame-Options": "DENY",
      "X-Request-Id": asked.requestId,
      // A deployment and the doctor see by it which version answers.
      ...(asked.version === "" ? {} : { "X-Worker-Version": asked.version }),
    },
  });
}
