import * as z from "zod";
import type { Environment } from "../../core/environment.ts";
import type { Settings } from "../../core/settings.ts";

/** The pages of the processor's dashboard, by the prefix of the ids that they show. */
const PAGES: Readonly<Record<string, string>> = {
  pi_: "payments",
  sub_: "subscriptions",
  plink_: "payment-links",
  promo_: "promotion_codes",
  prod_: "products",
};

/** What operators' answers about an object have, and partners' do not. */
export const atProcessor = {
  processor_url: z
    .string()
    .nullable()
    .describe("Its page in the processor's dashboard; null where it has none, or without PROCESSOR_DASHBOARD"),
};

/** The address of an object in the processor's dashboard. `id` is the processor's; null, or one without a page, has none. */
export function viewAtProcessor({ processor }: Pick<Settings, "processor">, environment: Environment, id: string | null) {
  const page = PAGES[/^[a-z]+_/.exec(id ?? "")?.[0] ?? ""];
  if (processor.dashboard === null || id === null || page === undefined) return { processor_url: null };
  return { processor_url: `${processor.dashboard}${environment === "test" ? "/test" : ""}/${page}/${encodeURIComponent(id)}` };
}
