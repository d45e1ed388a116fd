// The reference page: it shows this service's API description with a library that this service serves too.
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
  // A key that a user enters is not kept when the page closes.
  persistAuthorization: false,
  tryItOutEnabled: false,
  // Do not send the description to an external validator.
  validatorUrl: null,
});
