import { expect, it } from "vitest";
import { parseHttpUrl } from "../../src/core/urls.ts";

it.each([
  ["https://a.example", "https://a.example/"],
  ["HTTP://A.example/x?y#z", "http://a.example/x?y#z"],
  ["https://a.example?x=@", "https://a.example/?x=@"],
  ["https://a.example#@", "https://a.example/#@"],
])("%s is an address", (text, href) => {
  expect(parseHttpUrl(text)?.href).toBe(href);
});

it.each([
  "",
  "a.example",
  "ftp://a.example",
  "xhttps://a.example",
  "view:https://a.example",
  "https://a.example/x\\y",
  "https:a.example",
  "https:///a.example",
  "https://",
  "https://a b.example",
  "https://a.example/\u0007",
  "https://a.example\\b",
  "https://a.example/\ud800",
  "https://u@a.example",
  "https://u:p@a.example",
  "https://@a.example",
  "https://:@a.example",
  " https://a.example",
  "https://a.example:99999",
])("%j is none", (text) => {
  expect(parseHttpUrl(text)).toBeNull();
});
