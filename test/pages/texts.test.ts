import { describe, expect, it } from "vitest";
import { english } from "../../dashboard/src/texts/en.ts";
import { languageOf, localeFor } from "../../dashboard/src/texts/language.ts";
import { russian } from "../../dashboard/src/texts/ru.ts";
import { partnerCodes } from "../../src/http/partner/codes.ts";

/** The texts of the pages in both languages. That none is missing is a matter of their types. */

type Tree = { readonly [name: string]: unknown };

const isTree = (value: unknown): value is Tree => typeof value === "object" && value !== null;

/** Each text with its path; a function with examples of its parameters: a count, then a name. */
function textsOf(tree: Tree, path = ""): [path: string, text: string][] {
  return Object.entries(tree).flatMap(([name, value]): [string, string][] => {
    const at = path === "" ? name : `${path}.${name}`;
    if (typeof value === "function") return [[at, String(Reflect.apply(value, undefined, [2, 5, 3, 4, 1]))]];
    return isTree(value) ? textsOf(value, at) : [[at, String(value)]];
  });
}

/** What is the same in both: names of values, signs and forms of numbers. */
const SAME = new Set([
  "requests.cureOf",
  "requests.repeatOf",
  "rublePayments.phoneForm",
  "webhooks.inSecond",
  "form.amount",
  "audit.actionOf",
  "webhooks.manual",
  "products.every",
  "audit.said",
]);

it("both languages have the same texts", () => {
  const [of, own] = [textsWithout(english), textsWithout(russian)];
  expect(own).toEqual(of);
});

const textsWithout = (tree: Tree): string[] => {
  const paths = (of: Tree, path: string): string[] =>
    Object.entries(of).flatMap(([name, value]) => (isTree(value) ? paths(value, `${path}${name}.`) : [`${path}${name}`]));
  return paths(tree, "").toSorted();
};

it("Russian texts are in Russian, and English ones are not", () => {
  const examples = (tree: Tree) => textsOf(withoutCases(tree)).filter(([path]) => !SAME.has(path));
  expect(examples(russian).filter(([, text]) => !/[а-яё№]/i.test(text))).toEqual([]);
  expect(examples(english).filter(([, text]) => /[а-яё]/i.test(text))).toEqual([]);
});

/** Without functions whose parameters are no counts and names in that order. */
function withoutCases(tree: Tree): Tree {
  const { newAbout: _products, ...products } = tree.products as Tree;
  const { newAbout: _links, ...links } = tree.links as Tree;
  const { newAbout: _rubles, ...rublePayments } = tree.rublePayments as Tree;
  const { actionOf: _action, ...audit } = tree.audit as Tree;
  const { refused: _refused, ...failure } = tree.failure as Tree;
  return { ...tree, products, links, rublePayments, audit, failure };
}

describe("a count", () => {
  it.each([
    [1, "1 заказ"],
    [2, "2 заказа"],
    [5, "5 заказов"],
    [11, "11 заказов"],
    [21, "21 заказ"],
    [22, "22 заказа"],
    [100, "100 заказов"],
  ])("of %i has its word in the right form", (count, text) => {
    expect(russian.orders.count(count)).toBe(text);
  });

  it("of a period is said as people say it", () => {
    expect([russian.products.every(1, "month"), russian.products.every(3, "month"), russian.products.every(2, "year")]).toEqual([
      "раз в месяц",
      "раз в 3 месяца",
      "раз в 2 года",
    ]);
    expect([english.products.every(1, "month"), english.products.every(3, "month")]).toEqual(["every month", "every 3 months"]);
  });
});

describe("the language", () => {
  it.each([
    [null, ["ru-RU", "en"], "ru"],
    [null, ["de-DE", "ru"], "ru"],
    [null, ["de-DE"], "en"],
    [null, [], "en"],
    ["en", ["ru"], "en"],
    ["ru", ["en-GB"], "ru"],
    ["fr", ["ru"], "ru"],
  ])("chosen as %s in a browser of %j is %s", (chosen, preferred, language) => {
    expect(languageOf(chosen, preferred)).toBe(language);
  });

  it("has the browser's locale, if that is of the same language", () => {
    expect([localeFor("en", "en-GB"), localeFor("ru", "ru-RU"), localeFor("ru", "en-US"), localeFor("en", "de-DE")]).toEqual([
      "en-GB",
      "ru-RU",
      "ru",
      "en",
    ]);
  });
});

describe("a refusal", () => {
  const { failure } = russian;

  it("is said in Russian by its code and its field, with the Worker's own sentence behind it", () => {
    expect(failure.refused("NOT_FOUND", null, "You have no such key.")).toBe("Такого у вас нет. (You have no such key.)");
    expect(failure.refused("INVALID_INPUT", failure.fields.webhook_url ?? "", "Must be a URL.")).toBe(
      "Адрес: Значение не подходит. (Must be a URL.)",
    );
  });

  it.each(partnerCodes.map((code) => [code]))("has Russian words of its own for %s", (code) => {
    expect(failure.refused(code, null, "Said")).toMatch(/^[А-ЯЁ].* \(Said\)$/);
  });

  it.each(["OFFLINE", "SIGNED_OUT", "READ_ONLY", "UNKNOWN"])("of the pages themselves stands as it is: %s", (code) => {
    expect(failure.refused(code, null, failure.offline)).toBe(failure.offline);
  });

  it("is said in English as the Worker says it, with the label of its field", () => {
    expect(english.failure.refused("NOT_FOUND", null, "You have no such key.")).toBe("You have no such key.");
    expect(english.failure.refused("INVALID_INPUT", english.failure.fields.webhook_url ?? "", "Must be a URL.")).toBe(
      "URL: Must be a URL.",
    );
  });
});
