import { join } from "node:path";
import { build } from "esbuild";
import { root } from "../local/processes.ts";

interface Bundling {
  /** From the root of the repository. */
  readonly entry: string;
  /** `neutral`: for any runtime. */
  readonly platform: "node" | "neutral" | "worker";
  readonly define?: Readonly<Record<string, unknown>>;
  /** Packages that are installed beside it. */
  readonly external?: readonly string[];
  readonly head?: string;
  /** Whether it is to be read: then an error shows its line. */
  readonly isReadable?: boolean;
}

/** What the programs use and Node 20 lacks. */
const FOR_NODE_20 = `Promise.withResolvers ??= function () { let resolve, reject; const promise = new this((done, failed) => { resolve = done; reject = failed; }); return { promise, resolve, reject }; };
Map.groupBy ??= (all, keyOf) => { const groups = new Map(); let at = 0; for (const one of all) { const key = keyOf(one, at++); if (!groups.has(key)) groups.set(key, []); groups.get(key).push(one); } return groups; };`;
/** Programs that are bundled from CommonJS ask for `require`. */
const REQUIRE = 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);';

/** One module of an entry and all that it imports. */
export async function bundle({ entry, platform, define = {}, external = [], head = "", isReadable = false }: Bundling): Promise<string> {
  const isWorker = platform === "worker";
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [join(root, entry)],
    bundle: true,
    write: false,
    format: "esm",
    target: "es2024",
    platform: isWorker ? "browser" : platform,
    ...(isWorker ? { conditions: ["workerd", "worker", "browser"] } : {}),
    external: [...external, "node:*", ...(isWorker ? ["cloudflare:*"] : [])],
    define: Object.fromEntries(Object.entries(define).map(([name, value]) => [name, JSON.stringify(value)])),
    banner: { js: [head, platform === "node" ? `${REQUIRE}\n${FOR_NODE_20}` : ""].filter((line) => line !== "").join("\n") },
    minify: !isReadable,
    legalComments: "inline",
    logLevel: "error",
  });
  const [made] = outputFiles;
  if (made === undefined) throw new Error(`${entry} could not be bundled`);
  return made.text;
}
