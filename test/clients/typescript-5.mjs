import { createRequire, registerHooks } from "node:module";
import { pathToFileURL } from "node:url";

// npm puts this generator beside the project's TypeScript 7, whose programming interface it cannot use.
const typescript = pathToFileURL(createRequire(import.meta.url).resolve("typescript")).href;

registerHooks({
  resolve: (specifier, context, next) => (specifier === "typescript" ? { url: typescript, shortCircuit: true } : next(specifier, context)),
});
