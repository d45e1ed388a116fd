import type { Settings } from "../../core/settings.ts";

/** The hosts in the samples of docs/: the edge and the sandbox of a local stack on their usual ports. */
const SAMPLE_HOSTS = { edge: "http://localhost:8787", sandbox: "http://localhost:8788" };

/** Names in the samples that only exist in a local stack, and their placeholders in a deployed service. */
const PLACEHOLDERS: readonly (readonly [RegExp, string])[] = [
  [/a0000000-0000-4000-8000-00000000000[0-9a-f]/g, "YOUR_API_KEY"],
  [/prod_acme[A-Za-z]*(\d*)/g, "prod_YOURS$1"],
  [/http:\/\/localhost:8788\/inbox\/\w+/g, "https://your-shop.example/hook"],
];

/** The pages about the service on one's own machine, with its keys and products, and where a partner has it (packages/local). */
const LOCAL_PAGE = /^\/docs\/(?:test-data|quickstart|local|testing-your-receiver)\b/;
const LOCAL_HOSTS = { edge: "http://localhost:8790", sandbox: "http://localhost:8791" };

/** Where a page begins in the text of all pages (`tools/site/build.ts`). */
const PAGE = /^(?=<!-- \/docs\/[\w-]{1,60}\.md -->$)/m;

/** A text of the documentation for the host that serves it: its samples can be used unchanged. */
export function fitted(text: string, pathname: string, origin: string, settings: Pick<Settings, "local" | "processor">): string {
  const pages = pathname === "/llms-full.txt" ? text.split(PAGE) : [];
  if (pages.length > 0) return pages.map((page) => fitted(page, /\/docs\/[\w-]{1,60}/.exec(page)?.[0] ?? "", origin, settings)).join("");
  if (settings.local) return withHosts(text, { edge: origin, sandbox: new URL(settings.processor.base).origin });
  if (LOCAL_PAGE.test(pathname)) return withHosts(text.replaceAll(`${SAMPLE_HOSTS.edge}/packages/`, `${origin}/packages/`), LOCAL_HOSTS);
  const sample = PLACEHOLDERS.reduce((made, [local, placeholder]) => made.replace(local, placeholder), text);
  // A partner has the sandbox on its own machine alone.
  return withHosts(sample, { edge: origin, sandbox: LOCAL_HOSTS.sandbox });
}

const withHosts = (text: string, { edge, sandbox }: typeof SAMPLE_HOSTS): string =>
  text.replaceAll(SAMPLE_HOSTS.edge, edge).replaceAll(SAMPLE_HOSTS.sandbox, sandbox);
