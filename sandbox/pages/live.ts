import { html, raw } from "hono/html";

/**
 * Refreshes the start page automatically, section by section. Text input, selections and open details are kept. Buttons
 * act without leaving the page. Without JavaScript the page still works, but it does not refresh automatically.
 */
const SCRIPT = `
const main = document.querySelector("main");
const state = document.querySelector("#state");
const said = document.querySelector("#said");
// Also while a button is held down: a click that ends on another element does not count.
const isBusy = (section) => section.matches(":active") || section.querySelector("[data-acting]") !== null
  || (section.contains(document.activeElement) && document.activeElement.matches("input, select"))
  || (!getSelection().isCollapsed && section.contains(getSelection().anchorNode));

// Identifies an element by its purpose, not its position, so that it can be found again in the refreshed page.
const purposeOf = (element) => element.closest("form")?.getAttribute("action") ?? element.getAttribute("href") ?? element.parentElement?.dataset.key;
const find = (section, purpose) => [...section.querySelectorAll("a, button, summary")].find((element) => purposeOf(element) === purpose);

function bring(present, fresh) {
  for (const open of present.querySelectorAll("details[open]")) {
    fresh.querySelector("details[data-key=" + CSS.escape(open.dataset.key) + "]")?.setAttribute("open", "");
  }
  if (present.outerHTML === fresh.outerHTML) return;
  const focused = present.contains(document.activeElement) ? purposeOf(document.activeElement) : undefined;
  present.replaceWith(document.adoptNode(fresh));
  if (focused != null) find(fresh, focused)?.focus({ preventScroll: true });
}

async function update() {
  try {
    const response = await fetch(location.href, { cache: "no-store" });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    for (const fresh of page.querySelectorAll("[data-live]")) {
      const present = document.getElementById(fresh.id);
      if (present !== null && !isBusy(present)) bring(present, fresh);
    }
    state.textContent = "up to date";
    state.className = "good";
  } catch {
    state.textContent = "the sandbox does not answer";
    state.className = "bad";
  }
}

async function act(form) {
  const response = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)) });
  if (response.ok) return form.reset();
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  throw new Error(page.querySelector("main p")?.textContent ?? "It did not work.");
}

main.addEventListener("submit", async (event) => {
  const form = event.target;
  if (form.method === "get") return;
  event.preventDefault();
  if (form.dataset.acting) return;
  form.dataset.acting = "true";
  said.hidden = true;
  try {
    await act(form);
  } catch (fault) {
    said.textContent = fault.message;
    said.hidden = false;
  } finally {
    delete form.dataset.acting;
    document.activeElement.blur();
  }
  await update();
});

main.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (button === null) return;
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = "Copied";
  } catch {
    said.textContent = "The browser does not let this page copy. The command: " + button.dataset.copy;
    said.hidden = false;
  }
});

setInterval(() => document.hidden || update(), 2000);
`;

export const liveScript = html`<script type="module">${raw(SCRIPT)}</script>`;
