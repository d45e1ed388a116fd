import { html, raw } from "hono/html";

/**
 * Brings the start page up to date by itself, section by section: what somebody types, selects or has unfolded stays as
 * it is. Buttons act without leaving the page. Without a script the page still works, by itself it then does not move.
 */
const SCRIPT = `
const main = document.querySelector("main");
const state = document.querySelector("#state");
const FOCUSABLE = "a, button, summary, input, select";
const isBusy = (section) => section.contains(document.activeElement) && document.activeElement.matches("input, select")
  || (!getSelection().isCollapsed && section.contains(getSelection().anchorNode));

async function update() {
  try {
    const response = await fetch("/", { cache: "no-store" });
    const fresh = new DOMParser().parseFromString(await response.text(), "text/html");
    for (const section of fresh.querySelectorAll("[data-live]")) {
      const present = document.getElementById(section.id);
      if (present === null || isBusy(present)) continue;
      for (const open of present.querySelectorAll("details[open]")) {
        section.querySelector("details[data-key=" + CSS.escape(open.dataset.key) + "]")?.setAttribute("open", "");
      }
      if (present.outerHTML === section.outerHTML) continue;
      const focused = [...present.querySelectorAll(FOCUSABLE)].indexOf(document.activeElement);
      present.replaceWith(document.adoptNode(section));
      section.querySelectorAll(FOCUSABLE)[focused]?.focus({ preventScroll: true });
    }
    state.textContent = "up to date";
    state.className = "good";
  } catch {
    state.textContent = "the sandbox does not answer";
    state.className = "bad";
  }
}

main.addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target;
  const buttons = form.querySelectorAll("button");
  for (const button of buttons) button.disabled = true;
  const said = document.querySelector("#said");
  said.hidden = true;
  try {
    const response = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)) });
    if (!response.ok) {
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      said.textContent = page.querySelector("main p")?.textContent ?? "It did not work.";
      said.hidden = false;
    }
    form.reset();
    document.activeElement.blur();
  } finally {
    for (const button of buttons) button.disabled = false;
  }
  await update();
});

setInterval(() => document.hidden || update(), 2000);
`;

export const liveScript = html`<script type="module">${raw(SCRIPT)}</script>`;
