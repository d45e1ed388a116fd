import { createApp, defineComponent, h, ref } from "vue";
import { readRequest } from "../../try-request.ts";

/** The reader's key: it is kept in memory alone, for all requests of the page, until the page is closed or loaded again. */
const key = ref("");

interface Answer {
  readonly status: string;
  readonly text: string;
}

/** A request that the reader may change, and what the service answers. */
const TryIt = defineComponent({
  props: { request: { type: String, required: true } },
  setup({ request }) {
    const text = ref(request);
    const answer = ref<Answer | null>(null);
    const isBusy = ref(false);
    const send = async (event: Event) => {
      event.preventDefault();
      const read = readRequest(text.value);
      if (typeof read === "string") {
        answer.value = { status: "Not sent", text: read };
        return;
      }
      isBusy.value = true;
      answer.value = await ask(read.method, read.path, read.body);
      isBusy.value = false;
    };
    return () =>
      h("details", { class: "try-it" }, [
        h("summary", "Try it"),
        h("form", { onSubmit: (event: Event) => void send(event) }, [
          h("label", [
            "Your key, which stays in this page. A live key does real things.",
            h("input", {
              type: "password",
              autocomplete: "off",
              spellcheck: false,
              value: key.value,
              onInput: (event: Event) => (key.value = typedIn(event)),
            }),
          ]),
          h("label", [
            "The request",
            h("textarea", {
              rows: Math.min(16, text.value.split("\n").length + 1),
              spellcheck: false,
              value: text.value,
              onInput: (event: Event) => (text.value = typedIn(event)),
            }),
          ]),
          h("button", { type: "submit", disabled: isBusy.value || key.value === "" }, isBusy.value ? "…" : "Send"),
          answer.value === null
            ? null
            : h("div", { role: "status" }, [h("p", answer.value.status), h("pre", { tabindex: 0 }, h("code", answer.value.text))]),
        ]),
      ]);
  },
});

const typedIn = ({ target }: Event): string =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement ? target.value : "";

async function ask(method: string, path: string, body: string | null): Promise<Answer> {
  const began = performance.now();
  try {
    const response = await fetch(new URL(path, location.origin), {
      method,
      credentials: "omit",
      headers: { "X-Partner-Api-Key": key.value, ...(body === null ? {} : { "Content-Type": "application/json" }) },
      body,
    });
    const status = `${response.status}, in ${Math.round(performance.now() - began)} ms`;
    return { status, text: pretty(await response.text()) };
  } catch {
    return { status: "No answer", text: "The service could not be reached." };
  }
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Puts a console below each request of the page. */
export function addConsoles(): void {
  for (const block of document.querySelectorAll(".vp-doc div.language-http:not([data-tried])")) {
    block.setAttribute("data-tried", "");
    const place = document.createElement("div");
    block.after(place);
    createApp(TryIt, { request: block.querySelector("code")?.textContent ?? "" }).mount(place);
  }
}
