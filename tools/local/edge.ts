import { setTimeout as sleep } from "node:timers/promises";
import { localSecrets } from "../../sandbox/local-settings.ts";
import { membersOf } from "./process-table.ts";
import { endGroup, spawnTool, UserFault } from "./processes.ts";
import { WorkerOutput } from "./worker-output.ts";

/** Milliseconds. Only a hanging start reaches the first one, however slow or busy the machine is. */
const START_TIMEOUT = 180_000;
const STOP_WITHIN = 1_000;
const CHECK_EVERY = 1_000;
const ANSWER_WITHIN = 3_000;

/** Consecutive checks that must find the runtime lost: wrangler itself replaces the runtime after a change. */
const LOST_AFTER = 3;

/** An edge that ends more often than this has a reason that a restart does not remove. In milliseconds. */
const RESTARTS = { atMost: 5, within: 60_000 };

export interface EdgeOptions {
  readonly port: number;
  readonly stateDir: string;
  /** Another configuration than wrangler.toml. */
  readonly config: string | null;
  readonly vars: Readonly<Record<string, string>>;
  /** What is shown of the Worker's output: nothing, a line for each request, or all of it as it is. */
  readonly output: "none" | "lines" | "raw";
  /** Whether an edge that has ended, or lost its runtime, is started again. */
  readonly restart: boolean;
  /** Called with the process group of each start. */
  readonly started: (group: number) => void;
}

/** The Worker under `wrangler dev`. It is started with its construction. */
export class Edge {
  /** Resolves when it answers. @throws UserFault if it does not */
  readonly ready: Promise<void>;
  /** Resolves when it has ended by itself and is not started again, with its exit code. */
  readonly ended: Promise<number>;
  readonly #options: EdgeOptions;
  #current: Start;
  #isStopping = false;

  constructor(options: EdgeOptions) {
    this.#options = options;
    this.#current = startOnce(options);
    this.ready = this.#current.ready;
    this.ended = this.#keepUp();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#current.end();
    await this.ended;
  }

  #hasStopped(): boolean {
    return this.#isStopping;
  }

  async #keepUp(): Promise<number> {
    const restarts: number[] = [];
    for (;;) {
      const code = await this.#current.over;
      if (this.#isStopping || !this.#options.restart) return code;
      await this.#current.end();
      // It may have been stopped in the meantime.
      if (this.#hasStopped()) return code;
      restarts.push(Date.now());
      if (restarts.filter((at) => at > Date.now() - RESTARTS.within).length > RESTARTS.atMost) {
        console.error(`The edge has ended more than ${RESTARTS.atMost} times within a minute. It is not started again.`);
        return code === 0 ? 1 : code;
      }
      console.error("The edge has ended, or its runtime was killed. It is started again …");
      this.#current = startOnce(this.#options);
      try {
        await this.#current.ready;
        console.error("The edge answers again.");
      } catch (thrown) {
        if (!this.#isStopping) console.error(thrown instanceof Error ? thrown.message : String(thrown));
      }
    }
  }
}

/** One process of `wrangler dev`. */
interface Start {
  readonly ready: Promise<void>;
  /** Resolves with the exit code when the process has ended, or its runtime is gone. */
  readonly over: Promise<number>;
  end(): Promise<void>;
}

function startOnce(options: EdgeOptions): Start {
  const { port, output: shown, started } = options;
  const edge = `http://localhost:${port}`;
  const child = spawnTool("wrangler", devArguments(options, shown === "none" ? "warn" : "log"), shown === "raw" ? "inherit" : "pipe", {
    ...localSecrets,
    // The stack makes the documentation itself.
    SITE: "stack",
  });
  const group = child.pid ?? 0;
  started(group);
  const output: string[] = [];
  let isReady = false;
  let isEnding = false;
  for (const stream of [child.stdout, child.stderr]) {
    const lines = new WorkerOutput((line) => console.log(line));
    stream?.setEncoding("utf8").on("data", (data: string) => {
      // All of it is wanted where the start fails.
      if (!isReady) output.push(data);
      else if (shown === "lines") lines.take(data);
    });
  }
  const closed = new Promise<number>((done) => child.once("close", (code) => done(code ?? 1)));
  const { promise: lost, resolve: loseIt } = Promise.withResolvers<number>();
  let unwatch: (() => void) | null = null;
  const untilReady = async () => {
    try {
      await Promise.race([
        untilHealthy(edge, closed),
        closed.then((code) => fail(`The edge ended with code ${code} before it was ready.`)),
      ]);
    } catch (thrown) {
      if (!isEnding) process.stderr.write(output.join(""));
      loseIt(1);
      throw thrown;
    }
    isReady = true;
    if (child.exitCode === null) unwatch = watchRuntime(edge, group, () => loseIt(1));
  };
  const ready = untilReady();
  // Callers that only await `over` do not need the reason.
  ready.catch(() => undefined);
  return {
    ready,
    over: Promise.race([closed, lost]),
    async end() {
      isEnding = true;
      // One that has not served has nothing to keep.
      await endGroup(child, isReady ? undefined : STOP_WITHIN);
      await ready.catch(() => undefined);
      unwatch?.();
    },
  };
}

/**
 * Notices that a runtime of the group was killed and requests wait for ever: wrangler starts another, but its proxy does
 * not find it. A change of the code ends a runtime too, and then the edge answers. Returns what ends the watch.
 */
function watchRuntime(edge: string, group: number, onLost: () => void): () => void {
  const runtimes = () => new Set(membersOf(group).flatMap(({ program, pid }) => (program === "workerd" ? [pid] : [])));
  let known = runtimes();
  let lostChecks = 0;
  let isChecking = false;
  const check = async () => {
    const now = runtimes();
    if (known.isSubsetOf(now)) return;
    if (await isHealthy(edge)) {
      known = now;
      lostChecks = 0;
      return;
    }
    lostChecks += 1;
    if (lostChecks === LOST_AFTER) onLost();
  };
  const timer = setInterval(() => {
    if (isChecking) return;
    isChecking = true;
    void check().finally(() => {
      isChecking = false;
    });
  }, CHECK_EVERY);
  return () => clearInterval(timer);
}

function devArguments({ port, stateDir, config, vars }: EdgeOptions, level: "warn" | "log"): string[] {
  const settings = Object.entries(vars).flatMap(([name, value]) => ["--var", `${name}:${value}`]);
  const quietly = ["--log-level", level, "--show-interactive-dev-session=false", "--inspector-port", "0"];
  const configured = config === null ? [] : ["--config", config];
  return ["dev", ...configured, "--port", String(port), "--ip", "localhost", "--persist-to", stateDir, ...quietly, ...settings];
}

async function untilHealthy(edge: string, ended: Promise<unknown>): Promise<void> {
  const giveUpAt = Date.now() + START_TIMEOUT;
  const over = new AbortController();
  void ended.finally(() => over.abort());
  while (Date.now() < giveUpAt && !over.signal.aborted) {
    if (await isHealthy(edge, over.signal)) return;
    await sleep(200, undefined, { signal: over.signal }).catch(() => undefined);
  }
  fail(`The edge did not answer within ${START_TIMEOUT / 1000} seconds.`);
}

function isHealthy(edge: string, over?: AbortSignal): Promise<boolean> {
  const signals = [AbortSignal.timeout(ANSWER_WITHIN), ...(over === undefined ? [] : [over])];
  return fetch(`${edge}/health`, { signal: AbortSignal.any(signals) }).then(
    (response) => response.ok,
    () => false,
  );
}

function fail(message: string): never {
  throw new UserFault(message);
}
