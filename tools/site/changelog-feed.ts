import { BASE } from "./request-samples.ts";

/** The changelog as a feed (Atom, RFC 4287): an entry for each day, the newest first. */
export function changelogFeed(changelog: string): string {
  const page = `${BASE}/docs/changelog`;
  const days = [...changelog.matchAll(/^## (\d{4}-\d{2}-\d{2})\n(.*?)(?=^## |$(?![\s\S]))/gms)].map(([, day = "", text = ""]) => ({
    day,
    text,
  }));
  const entries = days.map(
    ({ day, text }) => `  <entry>
    <id>${page}#${day}</id>
    <title>${day}</title>
    <updated>${day}T00:00:00Z</updated>
    <link href="${page}#${day}"/>
    <content type="text">${escaped(plain(text))}</content>
  </entry>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>${page}</id>
  <title>Partner payments: changelog</title>
  <updated>${days[0]?.day ?? "1970-01-01"}T00:00:00Z</updated>
  <author><name>Partner payments</name></author>
  <link rel="self" href="${BASE}/docs/changelog.xml"/>
  <link href="${page}"/>
${entries.join("\n")}
</feed>
`;
}

/** A text without the marks of Markdown: its links by their words. */
const plain = (text: string): string =>
  text
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, "$1")
    .replaceAll(/[*`]/g, "")
    .trim();

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
