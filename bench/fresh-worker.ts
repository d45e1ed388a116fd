import { Miniflare } from "miniflare";
import { freePorts } from "../tools/local/ports.ts";
import { runtimeCpuSeconds } from "./cpu.ts";
import { type First, fill, type Started } from "./first-work.ts";
import { startReceivers } from "./receivers.ts";
import { linksWorker, productWorker, silent, upstreamWorker } from "./worker-options.ts";

/** The code of a Worker. `receiver`: the origin where a delivery goes. */
export type Code = (receiver: string) => string;

interface Fresh {
  readonly code: Code;
  readonly first: First;
  /** Whether the code is that of the Worker that does nothing. */
  readonly isBare?: boolean;
  readonly inspectorPort?: number;
}

/**
 * Starts a Worker, fills its stores, and gives `use` the first work that it is to do. `load`: the seconds of CPU until the
 * Worker was loaded; null where /proc does not tell. The Worker ends with `use`.
 */
export async function withFreshWorker<Result>(
  { code, first, isBare = false, inspectorPort }: Fresh,
  use: (answer: () => Promise<void>, load: number | null) => Promise<Result>,
): Promise<Result> {
  const receivers = await startReceivers();
  const [port = 0] = await freePorts(1);
  const source = code(receivers.origin);
  const isOfLinks = first.worker === "links";
  const worker = isOfLinks ? linksWorker(source, port) : productWorker(source, port, { delivers: first.delivers });
  const inspector = inspectorPort === undefined ? {} : { inspectorPort };
  const runtime = new Miniflare({ ...silent, ...inspector, workers: [worker, upstreamWorker()] });
  try {
    await runtime.ready;
    const load = runtimeCpuSeconds();
    const bindings = await runtime.getBindings<Started["bindings"]>(first.worker);
    await fill(bindings);
    return await use(await first.prepare({ port, bindings, receivers }, isBare), load);
  } finally {
    await runtime.dispose();
    receivers.close();
  }
}
