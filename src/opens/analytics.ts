import * as z from "zod";
import type { CallBudget } from "../core/call-budget.ts";
import { type Period, SECOND } from "../core/clock.ts";
import type { AnalyticsSettings } from "../core/settings.ts";

/** How often a short link was opened in a period. */
interface Opened {
  readonly slug: string;
  readonly opens: number;
}

/** The short links that were opened in a period, by slug, after one of them; at most {@link PAGE}. @throws NoAnswer if the platform does not answer */
export type ReadOpens = (period: Period, after: string, call: { readonly budget: CallBudget }) => Promise<readonly Opened[]>;

/** Analytics Engine is out of order, which is no failure of ours: the next quarter of an hour is asked for with this one. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

const noAnswer = (cause: unknown): never => {
  throw new NoAnswer("Analytics Engine did not answer", { cause });
};

/** Short links in one answer. */
export const PAGE = 1_000;

/** The platform writes large numbers as texts. */
const answerSchema = z.object({ data: z.array(z.object({ slug: z.string(), opens: z.coerce.number().pipe(z.int()) })) });

/**
 * Asks Analytics Engine, to which the Worker of the short links writes a point for each opening. The platform keeps a sample of
 * many points, and says for how many each stands.
 */
export function createReadOpens({ base, account, dataset, token }: AnalyticsSettings, send: typeof fetch): ReadOpens {
  const address = `${base}/client/v4/accounts/${account}/analytics_engine/sql`;
  return async (period, after, { budget }) => {
    const asked = send(address, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}` },
      body: opensQuery(dataset, period, after),
      signal: AbortSignal.timeout(budget.remaining()),
    });
    const response = await asked.catch(noAnswer);
    if (!response.ok) {
      await response.body?.cancel();
      const message = `Analytics Engine answered ${response.status}`;
      // A request that is refused is our own failure; too many are not.
      throw response.status < 500 && response.status !== 429 ? new Error(message) : new NoAnswer(message);
    }
    const body = await response.text().catch(noAnswer);
    return answerSchema.parse(JSON.parse(body)).data;
  };
}

const at = (time: number) => `toDateTime(${Math.floor(time / SECOND)})`;

/** The statement in the platform's SQL. Slugs and names of datasets are letters, digits and underscores. */
export function opensQuery(dataset: string, { from, to }: Period, after: string): string {
  return `SELECT index1 AS slug, SUM(_sample_interval) AS opens FROM ${dataset}
WHERE timestamp >= ${at(from)} AND timestamp < ${at(to)} AND index1 > '${after}'
GROUP BY slug ORDER BY slug LIMIT ${PAGE} FORMAT JSON`;
}
