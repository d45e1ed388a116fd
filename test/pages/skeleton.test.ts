import { expect, it } from "vitest";
import { withSkeleton } from "../../dashboard/skeleton.ts";

const page = `<html>
<head>
  <script type="module" src="/a.js"></script>
  <link rel="modulepreload" href="/b.js">
  <link rel="stylesheet" crossorigin href="/a.css">
</head>
<body>
<div id="root"></div>
</body>
</html>`;

it("a page has something to show before its style sheet, and nothing in its head waits for that", () => {
  const html = withSkeleton(page);
  const [head = "", body = ""] = html.split("</head>");
  expect(head).not.toContain('rel="stylesheet"');
  expect(head).toContain('<link rel="modulepreload" href="/b.js">');
  expect(body.indexOf('class="waiting"')).toBeLessThan(body.indexOf('<link rel="stylesheet" crossorigin href="/a.css">'));
  expect(body.indexOf('<link rel="stylesheet" crossorigin href="/a.css">')).toBeLessThan(body.indexOf('<div id="root"></div>'));
});

it("a page without a place for the application is refused", () =>
  expect(() => withSkeleton(page.replace("root", "other"))).toThrow("no place for the application"));
