import { defineConfig } from "vitepress";
import { anchorOf } from "../markdown.ts";
import { GROUPS } from "../pages.ts";

/**
 * The configuration of the documentation generator. `tools/site/generate.ts` prepares its input and takes its output.
 */
export default defineConfig({
  title: "Partner payments",
  description: "Payment links, ruble payments and signed events for partners.",
  lang: "en",
  base: "/docs/",
  srcDir: "pages",
  outDir: "out",
  cacheDir: "cache",
  cleanUrls: true,
  ignoreDeadLinks: "localhostLinks",
  // No inline script with the list of pages: the content policy forbids it.
  metaChunk: true,
  head: [["link", { rel: "icon", href: "data:," }]],
  markdown: {
    html: false,
    // A phone loads the pictures that it comes to.
    image: { lazyLoading: true },
    anchor: { slugify: anchorOf },
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
  },
  themeConfig: {
    search: { provider: "local" },
    outline: { level: [2, 3] },
    notFound: {
      title: "There is no such page",
      quote: "It may have moved. The search above looks through all pages.",
      linkText: "To the start",
      linkLabel: "To the start",
    },
    nav: [
      { text: "Quickstart", link: "/quickstart" },
      { text: "API reference", link: "/reference" },
    ],
    sidebar: GROUPS.map(({ title, pages }) => ({
      text: title,
      items: pages.map((page) => ({ text: page.title, link: `/${page.name}` })),
    })),
  },
});
