import type { Context } from "hono";
import { html } from "hono/html";
import type { AppEnv } from "../context.ts";
import { languageOf } from "../language.ts";
import { type Language, languages, rightToLeft, texts } from "./texts.ts";

/** 404 page for an unknown link, in the best language from `Accept-Language` (interface L.3). */
export function unknownLinkPage(context: Context<AppEnv>): Response | Promise<Response> {
  const { title, body } = texts[preferredLanguage(context)];
  return page(context, 404, { title, body, again: null });
}

/** 503 page for a link that could not be resolved because of an error on our side. */
export function failurePage(context: Context<AppEnv>): Response | Promise<Response> {
  const { failed, unharmed, again } = texts[preferredLanguage(context)];
  return page(context, 503, { title: failed, body: unharmed, again });
}

/** 429 page for an address that asked for too many unknown links. */
export function tooManyPage(context: Context<AppEnv>, retryAfter: number): Response | Promise<Response> {
  const { busy, later, again } = texts[preferredLanguage(context)];
  context.header("Retry-After", String(retryAfter));
  return page(context, 429, { title: busy, body: later, again });
}

interface Said {
  readonly title: string;
  readonly body: string;
  /** The label of a link to the same address; null if trying again would not help. */
  readonly again: string | null;
}

/** The page loads no external resources. */
function page(context: Context<AppEnv>, status: 404 | 429 | 503, { title, body, again }: Said): Response | Promise<Response> {
  const language = preferredLanguage(context);
  const { name, color } = context.get("deps").settings.brand;
  context.header("Content-Language", language);
  context.header("Vary", "Accept-Language");
  return context.html(
    html`<!doctype html>
<html lang="${language}" dir="${rightToLeft.has(language) ? "rtl" : "ltr"}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <title>${title}</title>
    <style nonce="${context.get("secureHeadersNonce") ?? ""}">
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
      ${again === null ? "" : html`<a href="">${again}</a>`}
    </main>
  </body>
</html>`,
    status,
  );
}

function preferredLanguage(context: Context<AppEnv>): Language {
  return languageOf(context, languages, "en");
}
