import { html, raw } from "hono/html";
import { STYLE } from "./style.ts";

type Markup = ReturnType<typeof html>;

/** A page of the sandbox: narrow for a message, `customer` for customers, wide for developers. */
export function page(title: string, content: Markup | Markup[], width: "narrow" | "customer" | "wide" = "narrow", language = "en"): Markup {
  return html`<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="icon" href="data:,">
    <style>${raw(STYLE)}</style>
  </head>
  <body><main class="${width}">${content}</main></body>
</html>`;
}

/** Minor units for people, for example `19.00 USD`. */
export function price(minor: unknown, currency: unknown): string {
  return `${(Number(minor) / 100).toFixed(2)} ${String(currency).toUpperCase()}`;
}
