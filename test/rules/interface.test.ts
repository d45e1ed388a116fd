import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { limits } from "../../src/core/limits.ts";
import { RESTART_LIMIT } from "../../src/webhooks/admin/restart.ts";
import { root } from "../../tools/local/processes.ts";

const read = (path: string) => readFileSync(join(root, path), "utf8");
const page = read("docs/interface.md");
const rules = [...page.matchAll(/^\| ([A-Z]|\d+)\.(\d+) \|/gm)].map(([, section, number]) => `${section}.${number}`);

/** Another test makes and deletes what is generated meanwhile. */
const NOT_OURS = new Set(["generated", "node_modules"]);

function filesOf(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return NOT_OURS.has(entry.name) ? [] : filesOf(join(folder, entry.name));
    return /\.(ts|mjs)$/.test(entry.name) ? [join(root, folder, entry.name)] : [];
  });
}

const rowOf = (number: string) => page.split("\n").find((line) => line.startsWith(`| ${number} |`)) ?? "";

/** What only the real processor could show: its account is not at hand, and the sandbox says what we believe of it. */
const UNTRIED: Readonly<Record<string, string>> = {
  "8.2": "which the processor takes at most",
};

/** The numbers in `interface 8.4` or `interface 8.4, 8.5`, and where each stands. */
const citations = ["src", "test", "tools", "sandbox"]
  .flatMap(filesOf)
  .flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/\binterface\s+(?:\* )?((?:[A-Z]|\d+)\.\d+(?:,\s+(?:\* )?(?:[A-Z]|\d+)\.\d+)*)/g)].flatMap(
      ([, numbers = ""]) => numbers.split(/,\s+(?:\* )?/).map((number) => ({ number, file })),
    ),
  );

describe("docs/interface.md", () => {
  it("numbers its rules once each, and in order", () => {
    expect(rules.length).toBeGreaterThan(120);
    expect(new Set(rules).size).toBe(rules.length);
    for (const [section, inSection] of Map.groupBy(rules, (rule) => rule.split(".")[0])) {
      expect(inSection).toEqual(inSection.map((_, index) => `${section}.${index + 1}`));
    }
  });

  it("has no rule that no test tries", () => {
    const tried = new Set(citations.filter(({ file }) => file.startsWith(join(root, "test"))).map(({ number }) => number));
    expect(rules.filter((rule) => !tried.has(rule))).toEqual([]);
  });

  it.each(Object.entries(UNTRIED))("%s has a sentence that no machine here can try: %s", (number, sentence) => {
    expect(rowOf(number)).toContain(sentence);
  });

  it("has every rule that something cites", () => {
    expect(citations.filter(({ number }) => !rules.includes(number))).toEqual([]);
  });
});

/** Where the two pages say a limit, as the text that must be there. */
const SAID: Readonly<Record<string, readonly string[]>> = {
  "docs/limits.md": [
    `${RESTART_LIMIT.toLocaleString("en")} of a webhook in an hour`,
    `| items of a cart | 1 to ${limits.cart.items}, each product once |`,
    `${limits.cart.minUnitAmount} to ${limits.cart.maxUnitAmount} minor units`,
    `| \`quantity\` of a cart's item | 1 to ${limits.cart.quantity} |`,
    `| items | 1 to ${limits.bankCart.items}, each product once`,
    `| \`quantity\` | 1 to ${limits.bankCart.quantity} |`,
    `1 to ${limits.bankCart.maxUnitAmount} kopecks`,
    `| total | ${limits.bankCart.minTotal / 100} to ${(limits.bankCart.maxTotal / 100).toLocaleString("en-US")} rubles |`,
    `| \`customer_email\` | ${limits.buyer.emailCharacters} characters |`,
    `| \`customer_phone\` | ${limits.buyer.phoneCharacters} characters |`,
    `| \`external_order_id\` | 1 to ${limits.externalOrderId.characters} letters`,
    `| products | 1 to ${limits.promotion.products} |`,
    `| text | 1 to ${limits.promotion.codeCharacters} of`,
    `at least ${limits.promotion.secondsAhead} seconds ahead`,
    `1 to ${limits.clientToken.characters} printable ASCII characters`,
    `1 to ${limits.idempotencyKey.characters} characters`,
    `1 to ${limits.paymentMethods.count} names`,
    `https, ${limits.url.characters} characters`,
    `${limits.body.bytes / 1024} KiB of JSON, nested at most ${limits.body.depth} levels`,
    `${limits.upstream.seconds} seconds, then`,
    `| short-link attempts | ${limits.shortLink.attempts} for each request |`,
    `1 to ${limits.transactions.listed}; omitted: ${limits.transactions.listedByDefault};`,
    `1 to ${limits.transactions.referenceCharacters} characters`,
    `the newest ${limits.paymentObjects.records} of the period`,
    `${limits.selfService.perDay.toLocaleString("en")} a day (UTC), of which keys have ${limits.selfService.ofKeys.toLocaleString("en")}`,
    `${limits.cancellations.perDay.toLocaleString("en")} a day (UTC)`,
    `| sign-ins of a person | ${limits.signIns.perDay} a day (UTC) |`,
    `| passkeys that a person adds | ${limits.signIns.perDay} a day (UTC) |`,
    `| live links that an agent gets in one answer | ${limits.agents.entries.toLocaleString("en")}, or up to a page more |`,
    `| agents that keys of an account let in | ${limits.grant.perDay} a day (UTC) |`,
    `| test events to the webhooks of one environment | ${limits.testEvents.perHour} an hour |`,
    `| events about checkouts that ended unpaid | ${limits.expiredCheckouts.perDay.toLocaleString("en")} a day (UTC) |`,
    `| products that you submitted and that wait for moderation | ${limits.submissions.waiting} at one time |`,
    `| e-mail addresses of one environment; codes that are sent to addresses | ${limits.noticeAddress.perEnvironment}; ${limits.mailCodes.perDay} a day (UTC) |`,
    `| ${limits.live.keys}; ${limits.live.people}; ${limits.live.sessions}: the oldest`,
    `${limits.grant.days} days, in tokens of ${limits.grant.tokenMinutes} minutes`,
    `${limits.processorId.characters} characters after their prefix, ${limits.paymentIntentId.characters} for \`pi_…\``,
  ],
  "docs/agents.md": [`access for ${limits.grant.days} days, in tokens of ${limits.grant.tokenMinutes} minutes`],
  "docs/payment-links.md": [`| \`items\` | 1 to ${limits.cart.items}, each product once |`],
  "docs/interface.md": [
    `1 to ${limits.cart.items} items.`,
    `\`unit_amount\` is ${limits.cart.minUnitAmount} to ${limits.cart.maxUnitAmount} minor units, \`quantity\` 1 to ${limits.cart.quantity}.`,
    `1 to ${limits.bankCart.items} items, one for each product.`,
    `\`quantity\` is 1 to ${limits.bankCart.quantity}.`,
    `from 1 to ${(limits.bankCart.maxTotal / 100).toLocaleString("en-US")} rubles`,
    `1 to ${limits.promotion.products} products`,
    `1 to ${limits.promotion.codeCharacters} characters of`,
    `at least ${limits.promotion.secondsAhead} seconds ahead`,
    `at most ${limits.url.characters} characters long`,
    `1 to ${limits.idempotencyKey.characters} characters`,
    `1 to ${limits.clientToken.characters} printable ASCII characters`,
    `\`limit\` is ${limits.transactions.listedByDefault} by default and ${limits.transactions.listed} at most`,
    `1 to ${limits.transactions.referenceCharacters} characters`,
    `newest ${limits.paymentObjects.records} records`,
    `take ${limits.upstream.seconds} seconds at most`,
    `tried ${limits.shortLink.attempts} times in one request`,
    `within ${limits.replay.hours} hours of completion`,
    `${limits.rotation.days} days later`,
  ],
};

describe.each(Object.entries(SAID))("%s says", (path, texts) => {
  const text = read(path);
  it.each(texts)("%s", (said) => {
    expect(text).toContain(said);
  });
});
