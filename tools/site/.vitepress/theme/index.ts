import { useData, withBase } from "vitepress";
// Without its fonts: system fonts replace them.
import DefaultTheme from "vitepress/theme-without-fonts";
import { defineComponent, h, nextTick, onMounted, watch } from "vue";
import "./style.css";
import { addConsoles } from "./try-it.ts";

/** Below each page: a link to its Markdown, for agents and notes. */
const AsMarkdown = defineComponent(() => {
  const { page } = useData();
  return () =>
    h("p", { class: "as-markdown" }, h("a", { href: withBase(`/${page.value.relativePath}`), target: "_self" }, "This page as Markdown"));
});

/** Beside the landing page's title: a sample request. */
const SAMPLE = `POST /create-partner-processor-cart-payment-link
X-Partner-Api-Key: <your key>

{
  "items": [{
    "stripe_product_id": "prod_acmeTestUsd1",
    "unit_amount": 1900,
    "quantity": 1
  }],
  "client_token": "order-2041"
}

→ {
  "success": true,
  "short_url": "https://…/01Ab3dEf9k",
  …
}`;
const Sample = () => h("pre", { class: "first-request", tabindex: 0, "aria-label": "A request and its answer" }, h("code", SAMPLE));

function markMain(): void {
  document.querySelector("#VPContent:not(:has(main))")?.setAttribute("role", "main");
  document.querySelector("#VPContent:has(main)")?.removeAttribute("role");
}

/** The theme's layout. Its landing page has no main landmark, which screen readers jump to. */
const Layout = defineComponent(() => {
  const { page } = useData();
  onMounted(() => {
    watch(
      () => page.value.relativePath,
      async () => {
        await nextTick();
        markMain();
        addConsoles();
      },
      { immediate: true },
    );
  });
  return () => h(DefaultTheme.Layout, null, { "doc-footer-before": () => h(AsMarkdown), "home-hero-image": () => h(Sample) });
});

export default { extends: DefaultTheme, Layout };
