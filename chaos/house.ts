import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unstable_readConfig } from "wrangler";
import * as z from "zod";
import { freePorts } from "../local/ports.ts";
import { endGroup, root, runTool } from "../local/processes.ts";
import { startSandbox } from "../local/sandbox-server.ts";
import type { SandboxState } from "../sandbox/state.ts";
import type { EdgeArguments } from "./edge.ts";

const storesSchema = z.object({
  d1_databases: z.array(z.looseObject({ binding: z.string(), database_id: z.string() })),
  kv_namespaces: z.array(z.looseObject({ binding: z.string(), id: z.string() })),
  r2_buckets: z.array(z.looseObject({ binding: z.string(), bucket_name: z.string() })),
});

/** The ids that wrangler.toml gives the stores: the local databases are named by them. */
function idsOfStores(): EdgeArguments["ids"] {
  const config: unknown = unstable_readConfig({ config: join(root, "wrangler.toml") }, { hideWarnings: true });
  const { d1_databases, kv_namespaces, r2_buckets } = storesSchema.parse(config);
  const database = (binding: string) => d1_databases.find((one) => one.binding === binding)?.database_id ?? "";
  return {
    DIRECTORY: database("DIRECTORY"),
    CELL_1: database("CELL_1"),
    SHORT_LINKS: kv_namespaces[0]?.id ?? "",
    SNAPSHOTS: r2_buckets[0]?.bucket_name ?? "",
  };
}

/** Milliseconds. */
const START_TIMEOUT = 60_000;

export interface Weather {
  readonly d1: number;
  readonly kv: number;
  readonly r2: number;
  readonly clock: number;
}

/** The whole stack of a run: the edge, which is killed and started again, and the sandbox, which is not. */
export class House {
  readonly edge: string;
  readonly sandbox: string;
  /** Everything that the Worker has logged. */
  readonly log: string[] = [];
  kills = 0;
  /** The folder with the databases, KV and R2. */
  readonly stores: string;
  readonly ids: EdgeArguments["ids"];
  readonly #folder: string;
  readonly #broken: string;
  readonly #ports: readonly number[];
  #child: ChildProcess | undefined;
  #isUp = Promise.resolve();
  #sandboxServer: Awaited<ReturnType<typeof startSandbox>> | undefined;

  private constructor(folder: string, ports: readonly number[], broken: string) {
    this.#folder = folder;
    this.#broken = broken;
    this.#ports = ports;
    this.ids = idsOfStores();
    this.stores = join(folder, "state", "v3");
    this.edge = `http://localhost:${ports[0]}`;
    this.sandbox = `http://localhost:${ports[1]}`;
  }

  /** Builds the Worker, and starts everything in a folder of its own. `broken`: the break to build in, or nothing. */
  static async open(broken: string): Promise<House> {
    const house = new House(mkdtempSync(join(tmpdir(), "partner-payments-chaos-")), await freePorts(2), broken);
    await house.#begin();
    return house;
  }

  async #begin(): Promise<void> {
    const state = join(this.#folder, "state");
    mkdirSync(state);
    const seeded = await runTool(join(root, "local", "seed.ts"), [state, this.sandbox, "empty"], { quiet: true });
    if (seeded !== 0) throw new Error("the databases could not be migrated");
    const bundled = await runTool("wrangler", ["deploy", "chaos/worker.ts", "--dry-run", "--outdir", this.#folder], {
      quiet: true,
      env: { EDGE: "stack" },
    });
    if (bundled !== 0) throw new Error("the Worker could not be bundled");
    this.#sandboxServer = await startSandbox({ port: this.#ports[1] ?? 0, edge: this.edge, stateFile: null });
    await this.start();
  }

  /** What the sandbox holds: the processor, the bank, and the partners' receivers. */
  get world(): SandboxState {
    if (this.#sandboxServer === undefined) throw new Error("the sandbox is not up");
    return this.#sandboxServer.state();
  }

  /** Starts the edge. Resolves when it answers. */
  start(): Promise<void> {
    const bundle = join(this.#folder, "worker.js");
    const given: EdgeArguments = {
      bundle,
      stores: this.stores,
      port: this.#ports[0] ?? 0,
      sandbox: this.sandbox,
      broken: this.#broken,
      ids: this.ids,
    };
    const child = spawn(process.execPath, [join(root, "chaos", "edge.ts"), JSON.stringify(given)], {
      cwd: root,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child = child;
    this.#isUp = new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error("the edge did not start in time")), START_TIMEOUT);
      const take = (text: string) => {
        for (const line of text.split("\n")) {
          if (line === "READY") {
            clearTimeout(timer);
            resolve();
          } else if (line !== "") this.log.push(line);
        }
      };
      child.stdout.setEncoding("utf8").on("data", take);
      child.stderr.setEncoding("utf8").on("data", take);
      child.once("close", () => {
        clearTimeout(timer);
        reject(new Error(`the edge ended: ${this.log.slice(-3).join(" ")}`));
      });
    });
    // A kill may come before it is up.
    this.#isUp.catch(() => undefined);
    return this.#isUp;
  }

  /** Resolves when the edge that was started last answers. */
  async up(): Promise<void> {
    await this.#isUp.catch(() => undefined);
  }

  /** Ends the runtime as the loss of a machine does, and starts another. */
  async kill(): Promise<void> {
    const { pid } = this.#child ?? {};
    if (pid === undefined) return;
    this.kills += 1;
    const gone = new Promise((resolve) => this.#child?.once("close", resolve));
    process.kill(-pid, "SIGKILL");
    await gone;
    await this.start();
  }

  async setWeather(weather: Weather): Promise<void> {
    await this.#post(`${this.edge}/chaos/weather`, weather);
  }

  async cron(): Promise<void> {
    await this.#post(`${this.edge}/chaos/cron`, {});
  }

  /** A control of the sandbox. @throws if it refuses */
  async control(path: string, body: object): Promise<Record<string, unknown>> {
    return this.#post(`${this.sandbox}/control${path}`, body);
  }

  async #post(address: string, body: object): Promise<Record<string, unknown>> {
    const response = await fetch(address, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    const answer = (await response.json()) as Record<string, unknown>;
    if (!response.ok) throw new Error(`${address} answered ${response.status}: ${JSON.stringify(answer)}`);
    return answer;
  }

  /** Ends the edge in peace, so that its databases can be read. */
  async closeEdge(): Promise<void> {
    if (this.#child !== undefined) await endGroup(this.#child);
  }

  async close(): Promise<void> {
    await this.closeEdge();
    await this.#sandboxServer?.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** The API description that answers are held to. */
  static description(): unknown {
    return JSON.parse(readFileSync(join(root, "public", "openapi.json"), "utf8"));
  }
}
