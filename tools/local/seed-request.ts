import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import type { Amount } from "./fill-months.ts";

const amountSchema = z.object({ payments: z.int(), days: z.int(), seed: z.int() });
const answerSchema = z.object({ code: z.int() });

/** How often each side looks, in milliseconds. */
const LOOK_EVERY = 300;

/** How `npm run seed` asks a running stack to fill its databases: by two files in the state directory, which both know. */
export class SeedRequest {
  readonly #asked: string;
  readonly #answered: string;

  constructor(stateDir: string) {
    this.#asked = join(stateDir, "seed-asked.json");
    this.#answered = join(stateDir, "seed-answered.json");
  }

  /** Asks the running stack, and waits for its answer: the exit code. Null if it ended without one. */
  async ask(amount: Amount, isAlive: () => boolean): Promise<number | null> {
    rmSync(this.#answered, { force: true });
    write(this.#asked, amount);
    while (!existsSync(this.#answered)) {
      if (!isAlive()) return null;
      await sleep(LOOK_EVERY);
    }
    const { code } = answerSchema.parse(JSON.parse(readFileSync(this.#answered, "utf8")));
    rmSync(this.#answered, { force: true });
    return code;
  }

  /** The next request of a running stack; never resolves once the signal is aborted. */
  async next(signal: AbortSignal): Promise<Amount> {
    for (;;) {
      await sleep(LOOK_EVERY, undefined, { ref: false });
      if (signal.aborted) await new Promise(() => undefined);
      if (!existsSync(this.#asked)) continue;
      const amount = amountSchema.parse(JSON.parse(readFileSync(this.#asked, "utf8")));
      rmSync(this.#asked, { force: true });
      return amount;
    }
  }

  /** Says how the request ended. */
  answer(code: number): void {
    write(this.#answered, { code });
  }

  /** Forgets requests of a stack that was killed. */
  clear(): void {
    for (const file of [this.#asked, this.#answered]) if (existsSync(file)) rmSync(file);
  }
}

/** The file is there as a whole, or not at all. */
function write(file: string, value: object): void {
  writeFileSync(`${file}.new`, JSON.stringify(value));
  renameSync(`${file}.new`, file);
}
