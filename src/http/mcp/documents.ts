import { type McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import type { Deps } from "../../deps.ts";
import { fitted } from "../docs/fitted.ts";

const NAME = /^[a-z0-9-]{1,60}$/;
/** A line of the list of pages: title, name and what it is about. */
const ENTRY = /^- \[([^\]]{1,100})\]\(\/docs\/([a-z0-9-]{1,60})\.md\): (.{1,300})$/gm;

/** The pages of the documentation as resources: `docs://webhooks`. They are public, so no key is asked for. */
export function registerDocuments(server: McpServer, deps: Pick<Deps, "assets" | "settings">, origin: string): void {
  const list = async () => {
    const pages = (await textOf(deps, origin, "/llms.txt")) ?? "";
    return {
      resources: [...pages.matchAll(ENTRY)].map(([, title = "", page = "", description = ""]) => ({
        uri: `docs://${page}`,
        name: page,
        title,
        description,
        mimeType: "text/markdown",
      })),
    };
  };
  const about = { title: "Documentation", description: "A page of the documentation, by its name", mimeType: "text/markdown" };
  server.registerResource("documentation", new ResourceTemplate("docs://{page}", { list }), about, async (uri, { page }) => {
    const name = Array.isArray(page) ? "" : (page ?? "");
    const text = NAME.test(name) ? await textOf(deps, origin, `/docs/${name}.md`) : null;
    if (text === null) throw new Error(`There is no page ${uri.href}. resources/list names all.`);
    return { contents: [{ uri: uri.href, mimeType: "text/markdown", text }] };
  });
}

/** A file of the documentation, as this host serves it; null if there is none. */
async function textOf({ assets, settings }: Pick<Deps, "assets" | "settings">, origin: string, path: string): Promise<string | null> {
  const found = await assets.fetch(new URL(path, origin));
  if (found.status === 200) return fitted(await found.text(), path, origin, settings);
  await found.body?.cancel();
  return null;
}
