import { type Compared, compareAll, type Effort } from "./compare-with-platform.ts";
import { type Comparison, comparisons, EVENT, recordingOf } from "./compared-requests.ts";
import { creations } from "./creations.ts";
import { generateMovements } from "./movements.ts";
import { type RecordedEvent, recordEvent, recordOperation } from "./record-requests.ts";
import { type Runtime, startRuntime } from "./runtime.ts";

const CONNECTIONS = 16;
const SLUGS = 1_000;
const MOVEMENTS = 10_000;
const WHOLE: Effort = { rounds: 5, share: 0.7 };

/** Compares the deployable Worker with the platform in one run. */
export async function measureWorker(
  say: (progress: string) => void,
  effort: Effort = WHOLE,
): Promise<{ readonly results: Compared[]; readonly size: Runtime["size"] }> {
  const { runtime, all } = await prepare(say, effort);
  try {
    return { results: await compareAll(runtime, all, CONNECTIONS, effort, say), size: runtime.size };
  } finally {
    await runtime.close();
  }
}

/** The numbers of connections in the growth measurement. */
const GROWTH = [1, 8, 64];
/** The comparisons over more and more connections. */
const GROWING = new Set(["hot redirect", "list of 20", "cart link of 1, new, without upstream", "cart link of 20, repeated"]);

export interface Growth {
  readonly connections: number;
  readonly results: readonly Compared[];
}

/** Compares the Worker with the platform over more and more connections, in one run. */
export async function measureConnections(
  say: (progress: string) => void,
  effort: Effort = { rounds: 3, share: 0.2 },
  sizes: readonly number[] = GROWTH,
): Promise<Growth[]> {
  const { runtime, all } = await prepare(say, effort);
  const growing = all.filter(({ name }) => GROWING.has(name));
  try {
    const found: Growth[] = [];
    for (const connections of sizes) {
      found.push({ connections, results: await compareAll(runtime, growing, connections, effort, () => undefined) });
      say(`${connections} connections measured`);
    }
    return found;
  } finally {
    await runtime.close();
  }
}

/** The product with its test data, and a reference that knows the product's steps. */
async function prepare(
  say: (progress: string) => void,
  { share }: Effort,
): Promise<{ readonly runtime: Runtime; readonly all: readonly Comparison[] }> {
  const runtime = await startRuntime();
  try {
    await generateMovements(runtime.cell, Math.ceil(MOVEMENTS * share));
    const slugs = Array.from({ length: Math.ceil(SLUGS * share) }, (_, index) => `01Bench${String(index).padStart(7, "0")}`);
    for (const slug of slugs) await runtime.shortLinks.put(slug, `acme https://checkout.example/${slug}`);
    say("recording what the product does, for the reference to do the same");
    return { runtime, all: comparisons(slugs, await prepareReference(runtime)) };
  } catch (thrown) {
    await runtime.close();
    throw thrown;
  }
}

/** Tells the reference the product's steps for each creation and for an event, and the upstream its answers. */
async function prepareReference(runtime: Runtime): Promise<RecordedEvent> {
  for (const creation of creations) {
    const asking =
      ({ path, headers, body }: typeof creation) =>
      (token: string) =>
        new Request(`http://localhost${path}`, { method: "POST", headers, body: body(token) });
    await runtime.tellReference(`recordings/${recordingOf(creation)}`, await recordOperation(runtime.bindings, asking(creation)));
  }
  const event = await recordEvent(runtime.bindings, "charge.succeeded", "http://localhost");
  await runtime.tellReference(`recordings/${EVENT}`, event.recording);
  await runtime.tellReference("answers", event.answers);
  return event;
}
