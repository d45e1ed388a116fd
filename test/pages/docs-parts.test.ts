import { expect, it } from "vitest";
import { docsParts } from "../../dashboard/src/ops/shared/docs-parts.ts";

const page = (name: string) => ({ text: `docs/${name}.md`, href: `/ops/docs/${name}` });

it.each([
  ["Check the log.", [{ text: "Check the log." }]],
  ["", []],
  [
    "See docs/bad-days.md, queues lost, or docs/scale.md.",
    [{ text: "See " }, page("bad-days"), { text: ", queues lost, or " }, page("scale"), { text: "." }],
  ],
  ["docs/deploy.md", [page("deploy")]],
  ["https://shop.example/docs/../x.md", [{ text: "https://shop.example/docs/../x.md" }]],
])("%j names its pages", (text, parts) => expect(docsParts(text)).toEqual(parts));
