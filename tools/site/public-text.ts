import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "../local/processes.ts";
import { version } from "../release/version.ts";
import { pageNamed } from "./pages.ts";

/**
 * A page of docs/ for the site: without comments for editors (for example, which test executes a block), with plain text for links to
 * pages outside the site, and with the version of the packages. @throws Error if it names what partners do not have
 */
export function asPublicText(text: string): string {
  const said = text.replaceAll(/<!--[^>]*-->\n/g, "").replaceAll("VERSION", version);
  const strange = ofTheRepository(said);
  if (strange !== undefined) throw new Error(`a page for partners, ${/^# (.*)/.exec(said)?.[1]}, names ${strange}, which they do not have`);
  return said.replaceAll(/(?<!!)\[([^\]]+)\]\(([^)\s]+)\)/g, (link, words: string, href: string) => (isOnSite(href) ? link : words));
}

/** What only those have who have the repository: its commands, its files, the numbers of its rules. */
function ofTheRepository(text: string): string | undefined {
  const files = [...text.matchAll(/(?<![\w/])(?:src|test|tools)\/[\w/.-]*\w/g)].map(([file]) => file);
  return /npm (?:run|ci|test)\b|\boperations? \d/i.exec(text)?.[0] ?? files.find((file) => existsSync(join(root, file)));
}

function isOnSite(href: string): boolean {
  if (/^(https?:|#|\/)/.test(href)) return true;
  const [, name = ""] = /^(?:\.\/)?([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  return pageNamed(name) !== undefined;
}
