import { AsyncLocalStorage } from "node:async_hooks";
import { aroundEffects } from "./observe.ts";

/** A consumer of the queue with a clock of its own, which may die at any of its round trips to D1. */
export class Consumer {
  readonly #start: () => number;
  readonly #dies: () => "before" | "after" | null;
  #passed = 0;
  #end: () => void = () => undefined;
  /** Whether it has. */
  died = false;
  /** Whether it heard that an event was taken. */
  heardSuccess = false;

  constructor(start: () => number, dies: () => "before" | "after" | null) {
    this.#start = start;
    this.#dies = dies;
  }

  readonly clock = { now: () => this.#start() + this.#passed };

  /** So much time goes by for it, in milliseconds. */
  pass(milliseconds: number): void {
    this.#passed += milliseconds;
  }

  /** Lets it work until it is done, or dead: then whatever it waits for never comes. */
  async live(work: () => Promise<unknown>): Promise<void> {
    const end = new Promise<void>((resolve) => {
      this.#end = resolve;
    });
    await Promise.race([consumers.run(this, work), end]);
  }

  async roundTrip(perform: () => Promise<unknown>): Promise<unknown> {
    const moment = this.#dies();
    if (moment === "before") return this.#die();
    const answer = await perform();
    return moment === "after" ? this.#die() : answer;
  }

  #die(): Promise<never> {
    this.died = true;
    this.#end();
    return new Promise<never>(() => undefined);
  }
}

const consumers = new AsyncLocalStorage<Consumer>();

/** The consumer whose work this is. */
export const atWork = (): Consumer | undefined => consumers.getStore();

/** From now on consumers may die at their round trips; undone by `resetEffects()`. */
export function letConsumersDie(): void {
  aroundEffects((effect, perform) => {
    const consumer = effect === "d1" ? atWork() : undefined;
    return consumer === undefined ? perform() : consumer.roundTrip(perform);
  });
}
