import { expect, it } from "vitest";
import { isNested, isUnbounded, regularExpressions } from "../../tools/cli/fuzz/regular-expressions.ts";

/**
 * Every regular expression of the Worker whose time may grow faster than its text, by its file: a part of it matches any number of
 * characters, or a repeated group holds a repetition. `npm run fuzz` times each of them on one text and on twice that text, and those with
 * repetitions in repetitions on hostile texts. Run it when you add one here.
 */
const TIMED: Readonly<Record<string, readonly string[]>> = {
  "bank-payments/buyer.ts": [
    "^[A-Za-z0-9_'+-]+(?:\\.[A-Za-z0-9_'+-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\\.)+(?:[A-Za-z]{2,}|xn--[A-Za-z0-9-]+)$",
    "^[\\x21-\\x7e]*$",
    "^\\+?[\\d\\s\\p{Pd}\\p{Ps}\\p{Pe}\\u2212.]+$",
  ],
  "bank/notification.ts": ["^\\d{1,15}(\\.0+)?$"],
  "catalogue/admin/flags.ts": ["\\s+"],
  "catalogue/admin/search.ts": ["\\s+"],
  "catalogue/admin/products.ts": ["^.*\\."],
  "core/cell-code.ts": ["^[a-z]+_"],
  "core/log.ts": ["^ {4}at (?:async )?(?:([\\w$.<>#]{1,60}) \\()?(?:\\S*\\/)?([\\w.-]{1,60}\\.[jt]s:\\d+:\\d+)\\)?$", "\\nparams: .*"],
  "core/redact.ts": [
    "\\b(?:sk|rk|pk|whsec)_[\\w*]+",
    "\\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\\b",
    "https?:\\/\\/\\S+",
    "(?<![^\\s@\"'<>(),;|])[^\\s@\"'<>(),;|]+(?:@|%40)[^\\s@\"'<>(),;|]+\\.\\p{L}{2,}",
    "(?<!\\w)(?:\\+\\(?|00)[1-9](?:[ .\\u00a0\\u202f\\u2010-\\u2015\\u2212()-]{0,3}\\d){7,14}(?!\\d)",
    "(?<!\\d)8[ .\\u00a0\\u202f\\u2010-\\u2015\\u2212()-]{0,3}[3489](?:[ .\\u00a0\\u202f\\u2010-\\u2015\\u2212()-]{0,3}\\d){9}(?!\\d)",
    "^[A-Z]{2}\\d{2}(?:[ \\u00a0\\u202f\\u2010-\\u2015\\u2212-]?[0-9A-Z]){11,30}",
    "\\d+(?:[ .\\u00a0\\u202f\\u2010-\\u2015\\u2212-]{1,2}\\d+)*",
    "\\d+",
  ],
  "core/text.ts": ["[\\p{Cc}\\p{Zl}\\p{Zp}\\s]+"],
  "core/time-zone.ts": ["^[A-Z][A-Za-z_]{1,30}(?:\\/[A-Za-z0-9_+-]{1,30}){1,2}$"],
  "core/typed-amount.ts": [
    "^(\\d{1,3}(?:[ \\u00a0\\u202f']\\d{3}){1,2})(?:[.,](\\d{1,2}))?$",
    "^(\\d{1,3}(?:,\\d{3}){1,2})\\.(\\d{1,2})$",
    "^(\\d{1,3}(?:\\.\\d{3}){1,2}),(\\d{1,2})$",
  ],
  "core/urls.ts": ["^https?:\\/\\/[^/?#@]+([/?#]|$)"],
  "db/cell-bindings.ts": ["^CELL_\\d+$"],
  "db/client.ts": ["constraint failed: (\\w+\\.\\w+)"],
  "db/round-trips.ts": ["^\\s*(SELECT|EXPLAIN|PRAGMA)\\b"],
  "settings.ts": [
    "(?<!\\/)\\/+$",
    "^[\\x21-\\x7e]{2,}$",
    "^whsec_[A-Za-z0-9_+/=-]+$",
    "^(sk|rk)_99_[A-Za-z0-9_]+$",
    "^[a-z0-9-]{1,63}(\\.[a-z0-9-]{1,63}){1,8}$",
    "^[a-z0-9.-]+$",
  ],
  "http/body.ts": ["^application\\/([a-z.-]+\\+)?json\\s*(;|$)"],
  "http/mcp/tools.ts": ["^Only [^:]*(?:: |$)"],
  "http/docs/fitted.ts": ["prod_acme[A-Za-z]*(\\d*)", "http:\\/\\/localhost:8788\\/inbox\\/\\w+"],
  "http/mcp/caller.ts": ["^bearer +(.+)$"],
  "http/oauth/server.ts": ["^[\\w-]+:[\\w-]+:[\\w-]+$"],
  "http/calls/call.ts": ["\\{(\\w+)\\}"],
  "http/calls/mount.ts": ["\\{(\\w+)\\}"],
  "http/objects/find-orders.ts": ["^[\\x20-\\x7e]+$"],
  "http/objects/processor-url.ts": ["^[a-z]+_"],
  "http/objects/story.ts": ["^[\\w.:-]+$"],
  "http/ops/file-rows.ts": ["^\\s*[[{]", "^\\s*sep=(.)\\s*(?:\\r?\\n|$)", "[\\s,;|]+"],
  "http/ops/operator-auth.ts": ["^Bearer (.+)$"],
  "http/short-domain/redirect.ts": [
    "^[\\x21-\\x7e]*$",
    "^/+(99)[^\\p{L}\\p{N}]*$",
    "^/+(99)(%3F|%26|&|=3F)([a-z_][a-z0-9_]{0,50}(?:=|%3D).*)$",
  ],
  "http/v1/status-operation.ts": ["^application\\/x-www-form-urlencoded\\s*(;|$)"],
  "http/shape.ts": ["^\\d{1,9}(\\.\\d+)?$", "^Invalid input: expected (\\w+), received (.+)$"],
  "http/wire-fields.ts": ["\\[\\d+\\]", "\\[\\d+\\]"],
  "ledger/personal-data.ts": ["\\s+", "^[\\w.:-]*$"],
  "ledger/sources.ts": ["^([a-z]+)_[A-Za-z0-9_]+$"],
  "partners/authenticate.ts": ["^\\s*bearer\\s", "^\\s*[\"'].*[\"']\\s*$"],
  "processor/links.ts": ["payment_method_types\\[(\\d+)\\]", "type provided:\\s*([a-z0-9_]+)", "[^a-z0-9_]+"],
  "rate-limits/address.ts": ["^0+(?=.)"],
  "short-links/target.ts": ["^([^ ]+) ([^ ]+)(?: (\\d+))?$"],
  "story/similar.ts": ["^[\\w-]{3,}$"],
  "webhooks/delivery/send.ts": ["^\\d+$", "^\\d+$"],
  "webhooks/endpoints/endpoint-url.ts": ["^\\[|^[\\d.]+$"],
};

it("every regular expression that may be slow is listed", () => {
  const found = regularExpressions().filter((one) => isUnbounded(one) || isNested(one));
  const byFile = Map.groupBy(found, ({ file }) => file);
  expect(Object.fromEntries([...byFile].map(([file, all]) => [file, all.map(({ pattern }) => pattern)]))).toEqual(TIMED);
});

it.each<[string, boolean]>([
  ["a+", true],
  ["a*?", true],
  ["a{3,}", true],
  ["a{3,5}", false],
  ["[*+]", false],
  ["\\+", false],
  ["^sub_\\w{1,200}$", false],
])("tells whether %s is unbounded", (pattern, is) => {
  expect(isUnbounded({ pattern })).toBe(is);
});

it.each<[string, boolean]>([
  ["(?:[ -]?[0-9A-Z]{2,4}){3,10}", true],
  ["(a{2}b)*", true],
  ["((a?)b)+", true],
  ["(?:(?<!x)a+|b){2}", true],
  ["(?:ab){3,10}", false],
  ["(?:a+b)?", false],
  ["[(*)]+", false],
  ["\\(a*\\)+", false],
])("tells whether %s repeats a repetition", (pattern, is) => {
  expect(isNested({ pattern })).toBe(is);
});
