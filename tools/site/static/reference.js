// The reference page: it shows this service's API description with a library that this service serves too.
Scalar.createApiReference("#reference", {
  url: "/openapi.json",
  // Nothing is asked for elsewhere: no fonts, no counting, no assistant, no relay.
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: "never",
  hideClientButton: true,
  // A key that a user enters is not kept when the page closes.
  persistAuth: false,
  authentication: { preferredSecurityScheme: "partnerKey" },
  documentDownloadType: "direct",
  operationTitleSource: "summary",
  defaultOpenAllTags: true,
  hideModels: true,
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
});

/** What the library leaves out for readers who use no mouse or no eyes. */
const missing = [
  [
    ".code-input-lite__editor",
    (editor) => ({ "aria-label": "Value", "aria-expanded": "false", "aria-controls": editor.id || "reference" }),
  ],
  ["button[aria-controls]", (button) => (button.innerText.trim() === "" ? { "aria-label": "Show or hide the list" } : {})],
  ["ul[aria-label$='endpoints']", () => ({ tabindex: "0" })],
];
const complete = () => {
  for (const [selector, attributesOf] of missing)
    for (const element of document.querySelectorAll(selector))
      for (const [name, value] of Object.entries(attributesOf(element))) if (!element.hasAttribute(name)) element.setAttribute(name, value);
};
let isDue = false;
new MutationObserver(() => {
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(() => {
    isDue = false;
    complete();
  });
}).observe(document.getElementById("reference"), { childList: true, subtree: true });
