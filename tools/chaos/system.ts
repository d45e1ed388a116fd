import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { SandboxState } from "../../sandbox/state.ts";
import { freePorts } from "../local/ports.ts";
import { endGroup, root, runTool } from "../local/processes.ts";
import { startSandbox } from "../local/sandbox-server.ts";
import type { EdgeArguments } from "./edge.ts";

/** Milliseconds. */
const START_TIMEOUT = 180_000;
const ANSWER_TIMEOUT = 60_000;

const MAX_STARTS = 5;

/** Faults at the edge. Shares of round trips, from 0 to 1; the clock error in milliseconds. */
export interface Failures {
  readonly d1: number;
  readonly kv: number;
  readonly r2: number;
  readonly clock: number;
  /** The unreachable cells, by binding. */
  readonly lost: readonly string[];
}

export const NO_FAILURES: Failures = { d1: 0, kv: 0, r2: 0, clock: 0, lost: [] };

/** The whole stack of a run: the edge, which is killed and restarted, and the sandbox, which is not. */
export class ChaosSystem {
  readonly edge: string;
  readonly sandbox: string;
  /** The Worker's log. */
  readonly log: string[] = [];
  kills = 0;
  /** The folder with the databases, KV and R2. */
  readonly stores: string;
  readonly #folder: string;
  readonly #broken: string;
  /** The number of cells. */
  readonly cells: number;
  readonly #ports: readonly number[];
  #child: ChildProcess | undefined;
  #started = Promise.resolve();
  #sandboxServer: Awaited<ReturnType<typeof startSandbox>> | undefined;

  private constructor(folder: string, ports: readonly number[], broken: string, cells: number) {
    this.cells = cells;
    this.#folder = folder;
    this.#broken = broken;
    this.#ports = ports;
    this.stores = join(folder, "state", "v3");
    this.edge = `http://localhost:${ports[0]}`;
    this.sandbox = `http://localhost:${ports[1]}`;
  }

  /** Builds the Worker, and starts everything in a new folder. `broken`: the planted defect, or empty. */
  static async open(broken: string, cells: number): Promise<ChaosSystem> {
    const system = new ChaosSystem(mkdtempSync(join(tmpdir(), "partner-payments-chaos-")), await freePorts(2), broken, cells);
    try {
      await system.#begin();
    } catch (thrown) {
      await system.close();
      throw thrown;
    }
    return system;
  }

  async #begin(): Promise<void> {
    const state = join(this.#folder, "state");
    mkdirSync(state);
    const seeded = await runTool(join(root, "tools", "local", "seed.ts"), [state, this.sandbox, "empty", String(this.cells)], {
      quiet: true,
    });
    if (seeded !== 0) throw new Error("the databases could not be migrated");
    const bundled = await runTool("wrangler", ["deploy", "tools/chaos/worker.ts", "--dry-run", "--outdir", this.#folder], {
      quiet: true,
    });
    if (bundled !== 0) throw new Error("the Worker could not be bundled");
    this.#sandboxServer = await startSandbox({ port: this.#ports[1] ?? 0, edge: this.edge, stateFile: null });
    await this.start();
  }

  /** The sandbox's state: the processor, the bank, and the partners' receivers. */
  get world(): SandboxState {
    if (this.#sandboxServer === undefined) throw new Error("the sandbox is not up");
    return this.#sandboxServer.state();
  }

  /** Starts the edge, with retries. Resolves when it answers. */
  start(): Promise<void> {
    this.#started = this.#startAgain();
    // Callers that need the edge await this promise.
    this.#started.catch(() => undefined);
    return this.#started;
  }

  async #startAgain(): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#startOnce();
      } catch (thrown) {
        if (tries === MAX_STARTS) throw thrown;
        // Another program may have taken the port for a moment.
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
    }
  }

  #startOnce(): Promise<void> {
    const given: EdgeArguments = {
      bundle: join(this.#folder, "worker.js"),
      stores: this.stores,
      port: this.#ports[0] ?? 0,
      sandbox: this.sandbox,
      broken: this.#broken,
      cells: this.cells,
    };
    const child = spawn(process.execPath, [join(root, "tools", "chaos", "edge.ts"), JSON.stringify(given)], {
      cwd: root,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      // A killed runtime leaves files behind. They are in this folder, which is removed at the end.
      env: { ...process.env, TMPDIR: this.#folder },
    });
    this.#child = child;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error("the edge did not start in time")), START_TIMEOUT);
      for (const input of [child.stdout, child.stderr]) {
        createInterface({ input }).on("line", (line) => {
          if (line === "READY") {
            clearTimeout(timer);
            resolve();
          } else if (line !== "") this.log.push(line);
        });
      }
      child.once("close", () => {
        clearTimeout(timer);
        reject(new Error(`the edge ended: ${this.log.slice(-3).join(" ")}`));
      });
    });
  }

  /** Resolves when the last started edge answers. */
  started(): Promise<void> {
    return this.#started;
  }

  /** Kills the runtime, as the loss of a machine would, and starts another. */
  async kill(): Promise<void> {
    await this.#started;
    const child = this.#child;
    if (child?.pid === undefined) return;
    this.kills += 1;
    if (child.exitCode === null && child.signalCode === null) {
      const gone = new Promise((resolve) => child.once("close", resolve));
      process.kill(-child.pid, "SIGKILL");
      await gone;
    }
    await this.start();
  }

  async fail(failures: Failures): Promise<void> {
    await this.#post(`${this.edge}/chaos/failures`, failures);
  }

  async cron(): Promise<void> {
    await this.#post(`${this.edge}/chaos/cron`, {});
  }

  /** A control of the sandbox. @throws if it refuses */
  async control(path: string, body: object): Promise<Record<string, unknown>> {
    return this.#post(`${this.sandbox}/control${path}`, body);
  }

  async #post(address: string, body: object): Promise<Record<string, unknown>> {
    const response = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_TIMEOUT),
    });
    const answer = (await response.json()) as Record<string, unknown>;
    if (!response.ok) throw new Error(`${address} answered ${response.status}: ${JSON.stringify(answer)}`);
    return answer;
  }

  /** Stops the edge normally, so that its databases can be read. */
  async closeEdge(): Promise<void> {
    if (this.#child !== undefined) await endGroup(this.#child);
  }

  async close(): Promise<void> {
    try {
      await this.closeEdge();
      await this.#sandboxServer?.close();
    } finally {
      rmSync(this.#folder, { recursive: true, force: true, maxRetries: 3 });
    }
  }

  /** The API description for checking answers. */
  static description(): unknown {
    return JSON.parse(readFileSync(join(root, "public", "openapi.json"), "utf8"));
  }
}
