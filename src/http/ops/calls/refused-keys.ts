import * as z from "zod";
import { isoTime } from "../../../core/clock.ts";
import { keyRefusals, listRefusedKeys, type RefusedKey } from "../../../partners/refused-keys.ts";
import { countedNetworks } from "../../../rate-limits/address.ts";
import { summaryOfRefusedKey } from "../../../summaries/of-refused-key.ts";
import { cutPage, keyIn, pageOf, pageQuery } from "../../calls/paging.ts";
import { summaryField } from "../../objects/rows.ts";
import { wire } from "../../wire.ts";
import { defineCall } from "../define-call.ts";

const refusedKeyView = z.object({
  day: z.string(),
  address: z.string().describe("Of IPv6 the network"),
  hint: z.string().describe("The last four characters of what was sent"),
  reason: z.enum(keyRefusals).describe("malformed: it is no key of ours at all; unknown: it has the form of one"),
  summary: summaryField.describe("What to answer the partner, in English and in Russian"),
  partner_id: z.string().nullable().describe("Null where no such key is known"),
  key_id: z.string().nullable(),
  count: z.int().describe("At least so often that day"),
  first_at: z.string(),
  last_at: z.string(),
});

const refusedKeyKey = z.tuple([z.number(), z.string(), z.string(), z.string()]);

export const refusedKeysCall = defineCall({
  command: "keys refused",
  path: "/ops/refused-keys",
  role: "any",
  summary: "Keys that were refused, the newest day first: from where, why, how often. For a partner whose key does not work",
  query: z.object({
    partner: z.string().optional().describe("Only keys that are or were this partner's"),
    address: z.string().max(64, "must be at most 64 characters").optional().describe("Only from this address; of IPv6 any of its network"),
    hint: z.string().max(4, "must be the last four characters").optional().describe("The last four characters of the key"),
    ...pageQuery,
  }),
  answer: pageOf(refusedKeyView),
  example: "--hint 7f3a",
  async run({ deps }, { query: { partner, address, hint, limit, cursor } }) {
    const [day, network, theirHint, reason] = keyIn(cursor, refusedKeyKey) ?? [];
    const before =
      day === undefined || network === undefined || theirHint === undefined || reason === undefined
        ? undefined
        : { day, network, hint: theirHint, reason };
    const asked = address === undefined ? undefined : countedNetworks(address.trim())[0];
    const rows = await listRefusedKeys(deps.directory, { partnerId: partner, network: asked, hint, before, limit: limit + 1 });
    return cutPage(rows, limit, viewRefusedKey, (row) => [row.day, row.network, row.hint, row.reason]);
  },
});

const fieldsOf = wire(refusedKeyView);

const viewRefusedKey = (row: RefusedKey): z.input<typeof refusedKeyView> => ({
  ...fieldsOf(row),
  day: isoTime(row.day).slice(0, 10),
  address: row.network,
  summary: summaryOfRefusedKey(row.hint, row.reason),
});
