// The reference page: the description that this service serves, by a library that is served from here too.
const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
follow();
dark.addEventListener("change", follow);

SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  defaultModelsExpandDepth: -1,
  defaultModelExpandDepth: 3,
  docExpansion: "list",
  // A key that somebody tries this with is gone with the page.
  persistAuthorization: false,
  tryItOutEnabled: false,
  // Nothing is sent to anybody's validator.
  validatorUrl: null,
});
