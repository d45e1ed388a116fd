import * as z from "zod";
import { freePorts } from "../tools/local/ports.ts";
import { bundleWithNames, type Deployed } from "./bundle.ts";
import type { First } from "./first-work.ts";
import { withFreshWorker } from "./fresh-worker.ts";

/** A file of ours or a package, and the milliseconds that its evaluation took. */
export interface Evaluated {
  readonly module: string;
  readonly ms: number;
}

/**
 * The modules of which the evaluation takes longest between the load of a Worker and its first answer, dearest first: by a
 * profile, of a bundle that keeps the names of files. What the entry evaluates when it is loaded is not in it.
 */
export async function dearestModules(first: First, count: number): Promise<Evaluated[]> {
  const [bundle, [inspectorPort = 0]] = [await bundleWithNames(first.worker), await freePorts(1)];
  const profile = await withFreshWorker({ code: () => bundle, first, inspectorPort }, (answer) =>
    profileDuring(inspectorPort, first.worker, answer),
  );
  return evaluated(profile).slice(0, count);
}

/** How often the profiler looks, in microseconds. */
const INTERVAL = 100;

const targetsSchema = z.array(z.object({ title: z.string(), webSocketDebuggerUrl: z.string() }));
const profileSchema = z.object({
  result: z.object({
    profile: z.object({
      nodes: z.array(z.object({ id: z.int(), callFrame: z.object({ functionName: z.string() }), children: z.array(z.int()).default([]) })),
      samples: z.array(z.int()),
      timeDeltas: z.array(z.int()),
    }),
  }),
});
type Profile = z.infer<typeof profileSchema>["result"]["profile"];

async function profileDuring(port: number, worker: Deployed, work: () => Promise<void>): Promise<Profile> {
  const targets = targetsSchema.parse(await (await fetch(`http://127.0.0.1:${port}/json`)).json());
  const product = targets.find(({ title }) => title.includes(worker));
  if (product === undefined) throw new Error("the runtime's inspector does not know the Worker");
  const socket = new WebSocket(product.webSocketDebuggerUrl);
  await new Promise((resolve) => socket.addEventListener("open", resolve, { once: true }));
  let asked = 0;
  const ask = (method: string, params: object = {}) => {
    asked += 1;
    const id = asked;
    return new Promise<unknown>((resolve) => {
      const take = ({ data }: MessageEvent) => {
        const message: unknown = JSON.parse(String(data));
        if (!(typeof message === "object" && message !== null && "id" in message && message.id === id)) return;
        socket.removeEventListener("message", take);
        resolve(message);
      };
      socket.addEventListener("message", take);
      socket.send(JSON.stringify({ id, method, params }));
    });
  };
  await ask("Profiler.enable");
  await ask("Profiler.setSamplingInterval", { interval: INTERVAL });
  await ask("Profiler.start");
  await work();
  const stopped = profileSchema.parse(await ask("Profiler.stop"));
  socket.close();
  return stopped.result.profile;
}

/** The bundler evaluates each module in a function with the name of its file. */
const FILE = /^(?:.*node_modules\/((?:@[^/]+\/)?[^/]+)|src)\//;

/** A longer time between two samples was a wait. In microseconds. */
const LONGEST = 20 * INTERVAL;

/** The time of each module without that of the modules that it evaluates first. */
function evaluated({ nodes, samples, timeDeltas }: Profile): Evaluated[] {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, callFrame.functionName]));
  const callers = new Map(nodes.flatMap(({ id, children }) => children.map((child) => [child, id] as const)));
  const moduleOf = (node: number | undefined): string | undefined => {
    if (node === undefined) return undefined;
    const name = names.get(node) ?? "";
    const file = FILE.exec(name);
    return file === null ? moduleOf(callers.get(node)) : (file[1] ?? name);
  };
  const microseconds = new Map<string, number>();
  for (const [index, node] of samples.entries()) {
    const module = moduleOf(node);
    if (module !== undefined) microseconds.set(module, (microseconds.get(module) ?? 0) + Math.min(timeDeltas[index] ?? 0, LONGEST));
  }
  return [...microseconds].map(([module, time]) => ({ module, ms: time / 1_000 })).toSorted((left, right) => right.ms - left.ms);
}
