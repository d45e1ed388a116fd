import { env, waitUntil } from "cloudflare:workers";
import { buildSandbox } from "../sandbox/app.ts";
import { localSecrets } from "../sandbox/local-settings.ts";
import { emptyState } from "../sandbox/state.ts";
import type { World } from "../sandbox/world.ts";
import { systemClock } from "../src/core/clock.ts";

/** The sandbox as a Worker beside the product: processor, bank, customers and the partners' receivers. */
const { PRODUCT } = env as unknown as { readonly PRODUCT: Fetcher };
const after = (delay: number) => new Promise<void>((resolve) => setTimeout(resolve, delay));

const world: World = {
  state: emptyState(),
  clock: systemClock,
  origin: "https://processor.example",
  edge: "http://localhost",
  balanceDelay: 0,
  eventSecrets: { live: localSecrets.PROCESSOR_EVENT_SECRET_LIVE, test: localSecrets.PROCESSOR_EVENT_SECRET_TEST },
  fetch: (url, init) => PRODUCT.fetch(url, init),
  later: (delay, task) => waitUntil(after(delay).then(task)),
  wait: after,
};

const sandbox = buildSandbox(world);

export default { fetch: (request) => sandbox.fetch(request) } satisfies ExportedHandler;
