import MiniSearch from "minisearch";
import * as z from "zod";
import { lazy } from "../../core/lazy.ts";
import { annotateTrace } from "../../core/trace.ts";
import type { Deps } from "../../deps.ts";
import { callerOf } from "../authenticate.ts";
import { fitted } from "../docs/fitted.ts";
import { fieldsOf, refuseUnknown, withoutNulls } from "../fields.ts";
import { READ_ONLY } from "../operation.ts";
import { rejectShape } from "../shape.ts";
import { v2 } from "../v2/generation.ts";
import type { AgentOperation } from "./agent-operation.ts";

/** What one search finds at most, and the characters of a section that it gives. */
const MOST_FOUND = 4;
const LONGEST_SECTION = 3_000;
/** Where the build writes the sections of all pages (tools/site/sections.ts). */
const SECTIONS = "/docs/sections.json";

const sectionSchema = z.object({ page: z.string(), heading: z.string(), text: z.string() });
const sectionsSchema = z.array(sectionSchema);
type Section = z.output<typeof sectionSchema> & { readonly id: number };

const input = z.object({ query: z.string().trim().min(1).max(200).describe("A few words, such as `webhook signature`, or an error code") });
const fields = lazy(() => fieldsOf(input));
const NEEDED = { location: "header_or_body", permission: null, kind: "read", environment: "any" } as const;

/** For agents only: many hosts offer tools and no resources. A person searches at `/docs`. */
export const searchDocuments: AgentOperation = {
  name: "search-partner-documentation",
  title: "Search documentation",
  description: "The sections of the documentation that fit some words, best first.",
  hint: "Use it for how something works or what an error means before you guess or write code.",
  effect: READ_ONLY,
  generation: v2,
  permission: null,
  input,
  output: z.object({
    success: z.literal(true),
    found: z.array(
      z.object({
        page: z.string().describe("A resource, such as `docs://webhooks`"),
        url: z.string(),
        heading: z.string(),
        text: z.string(),
      }),
    ),
  }),
  async invoke(deps, credentials, sent) {
    annotateTrace({ operation: searchDocuments.name });
    await callerOf(deps, NEEDED, credentials, {});
    const body = withoutNulls(fields(), z.record(z.string(), z.unknown()).parse(sent));
    refuseUnknown(fields(), body, { ...v2, insteadOf: {}, ignored: new Set(["api_key"]) });
    const asked = input.safeParse(body);
    if (!asked.success) rejectShape(asked.error, body);
    const { apiOrigin } = deps.settings;
    const index = await indexOf(deps);
    const found = index
      .search(asked.data.query)
      .slice(0, MOST_FOUND)
      .map((one) => sectionSchema.parse(one));
    return {
      success: true,
      found: found.map(({ page, heading, text }) => ({
        page: `docs://${page}`,
        url: `${apiOrigin}/docs/${page}.md`,
        heading,
        text: fitted(text, `/docs/${page}.md`, apiOrigin, deps.settings).slice(0, LONGEST_SECTION),
      })),
    };
  },
};

let known: MiniSearch<Section> | null = null;

/** The index of all sections. An isolate makes it once, in some milliseconds. */
async function indexOf({ assets, settings }: Pick<Deps, "assets" | "settings">): Promise<MiniSearch<Section>> {
  if (known !== null) return known;
  const answer = await assets.fetch(new URL(SECTIONS, settings.apiOrigin));
  const sections = sectionsSchema.parse(await answer.json()).map((section, id) => ({ ...section, id }));
  const index = new MiniSearch<Section>({
    fields: ["heading", "text"],
    storeFields: ["page", "heading", "text"],
    searchOptions: { boost: { heading: 3 }, prefix: (word) => word.length > 3, fuzzy: (word) => (word.length > 5 ? 0.2 : false) },
  });
  index.addAll(sections);
  known = index;
  return index;
}
