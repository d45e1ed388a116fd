/** A page that partners see at `/docs/<name>`, with its purpose in one line. */
export interface Page {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  /** A page of the reference is made of what the API description has under this tag. Any other page is a file in docs/. */
  readonly tag?: string;
}

/** The menu, in its order. */
export const GROUPS: readonly { readonly title: string; readonly pages: readonly Page[] }[] = [
  {
    title: "Start",
    pages: [
      { name: "quickstart", title: "Quickstart", about: "three minutes from an empty folder to a verified event" },
      { name: "clients", title: "Clients", about: "what you install: for TypeScript, Python and the shell" },
      { name: "local", title: "On your machine", about: "the whole service for you and your tests, with a sandbox" },
      { name: "test-data", title: "Test data", about: "every local key, product, card outcome and fault" },
      { name: "generations", title: "Choosing v1 or v2", about: "which generation to use for what, and how to move over" },
      { name: "going-live", title: "Going live", about: "a list to tick before the first real customer" },
    ],
  },
  {
    title: "Events",
    pages: [
      { name: "webhooks", title: "Webhooks", about: "receive events, verify their signatures, change the secret" },
      { name: "receivers", title: "Receivers", about: "a whole receiver to paste, in four languages" },
      { name: "testing-your-receiver", title: "Testing your receiver", about: "what it will meet, and how to make it happen" },
      { name: "events", title: "All events", about: "every event with an example" },
    ],
  },
  {
    title: "Payments",
    pages: [
      { name: "payment-links", title: "Payment links", about: "sell by a link: for a cart, a product, with a code" },
      { name: "subscriptions", title: "Subscriptions", about: "sell, see and end them" },
      { name: "refunds-and-disputes", title: "Refunds and disputes", about: "money that goes back, and the events that say so" },
      { name: "idempotency", title: "Idempotency", about: "repeating a request safely; same key or a new key, for each error" },
      { name: "bank-payments", title: "Ruble payments", about: "payments at the ruble bank with a fiscal receipt" },
      { name: "books", title: "Books", about: "orders, reports, balance, statements, files" },
    ],
  },
  {
    title: "Tools",
    pages: [
      { name: "dashboard", title: "Dashboard", about: "pages for your people: payments, links, webhooks, keys, colleagues" },
      { name: "self-service", title: "Self-service", about: "look after webhooks, requests, orders and links by program and by command" },
      { name: "people", title: "People, keys and agents", about: "who signs in, who may do what, and keys made and revoked by yourself" },
      { name: "agents", title: "Agents (MCP)", about: "the operations as tools for agents" },
    ],
  },
  {
    title: "Look up",
    pages: [
      { name: "errors", title: "Errors", about: "every error code: cause, cure, whether to repeat" },
      { name: "limits", title: "Limits", about: "every limit in one place" },
      { name: "first-generation", title: "First generation", about: "the operations at /webhook/…" },
      { name: "changelog", title: "Changelog", about: "what changed when, and what is deprecated" },
    ],
  },
  {
    title: "API reference",
    pages: [
      { name: "reference", title: "Operations (second generation)", about: "every field, with samples", tag: "Second generation" },
      {
        name: "reference-first-generation",
        title: "Operations (first generation)",
        about: "every field, with samples",
        tag: "First generation",
      },
      { name: "reference-self-service", title: "Your own calls", about: "every field of the calls at /partner/…", tag: "Self-service" },
    ],
  },
];

export const PAGES: readonly Page[] = GROUPS.flatMap(({ pages }) => pages);

export const pageNamed = (name: string): Page | undefined => PAGES.find((page) => page.name === name);
