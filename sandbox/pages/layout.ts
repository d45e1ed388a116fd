import { html } from "hono/html";

type Markup = ReturnType<typeof html>;

/** A page of the sandbox. `refresh`, in seconds, has it load itself anew. */
export function page(title: string, content: Markup | Markup[], refresh?: number): Markup {
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <style>
      :root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 18%, transparent); --soft: color-mix(in srgb, currentColor 6%, transparent); }
      * { box-sizing: border-box; }
      body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; }
      main { max-width: 70rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
      main.narrow { max-width: 28rem; }
      h1 { font-size: 1.5rem; margin: 0 0 0.25rem; }
      h2 { font-size: 1.1rem; margin: 2rem 0 0.5rem; }
      .note { opacity: 0.75; margin: 0 0 1rem; }
      .scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 0.5rem; }
      table { border-collapse: collapse; width: 100%; font-size: 0.9rem; }
      th, td { text-align: left; padding: 0.5rem 0.75rem; border-bottom: 1px solid var(--line); white-space: nowrap; }
      tr:last-child td { border-bottom: 0; }
      code { font-size: 0.85em; }
      form { display: inline; }
      button, select, input { font: inherit; padding: 0.5rem 0.75rem; border: 1px solid var(--line); border-radius: 0.4rem; }
      button { cursor: pointer; background: var(--soft); color: inherit; }
      button.main { background: #2451d6; border-color: #2451d6; color: #fff; }
      td button { padding: 0.15rem 0.5rem; }
      .good { color: #15803d; } .bad { color: #dc2626; }
      @media (prefers-color-scheme: dark) { .good { color: #4ade80; } .bad { color: #f87171; } }
      .stack { display: grid; gap: 0.75rem; }
      .stack label { display: grid; gap: 0.25rem; }
      .stack form { display: grid; gap: 0.75rem; }
      .line { display: flex; justify-content: space-between; gap: 1rem; padding: 0.5rem 0; border-bottom: 1px solid var(--line); }
      .total { font-weight: 600; border-bottom: 0; }
    </style>
  </head>
  <body>${refresh === undefined ? "" : reloader(refresh)}<main class="${refresh === undefined ? "narrow" : "wide"}">${content}</main></body>
</html>`;
}

/** Not while somebody is typing. */
function reloader(seconds: number): Markup {
  return html`<script>setInterval(() => { if (document.activeElement.tagName !== "INPUT") location.reload(); }, ${seconds * 1000});</script>`;
}

/** Minor units for people, for example `19.00 USD`. */
export function price(minor: unknown, currency: unknown): string {
  return `${(Number(minor) / 100).toFixed(2)} ${String(currency).toUpperCase()}`;
}
