/** What operators decide about products. */
export interface Decision<Of> {
  readonly verdict: "approve" | "reject";
  readonly products: readonly Of[];
  readonly reason: string | undefined;
}

/** A decision with what became of it so far. */
export interface Taken<Of> extends Decision<Of> {
  readonly id: number;
  /** Null while it can be undone. */
  readonly done: number | null;
}

interface QueueDeps<Of> {
  /** Calls back after the time in which a decision can be undone. Returns what cancels it. */
  readonly later: (work: () => void) => () => void;
  /** Carries a decision out for one product. */
  readonly send: (decision: Decision<Of>, product: Of) => Promise<void>;
  readonly onFailure: (product: Of, thrown: unknown) => void;
  /** After a decision was carried out, before it leaves the queue. */
  readonly onDone: () => Promise<void>;
  readonly onChange: (taken: readonly Taken<Of>[]) => void;
}

/** Products of a decision that are worked on at once. */
const AT_ONCE = 3;

/**
 * Decisions that are not carried out yet. Each waits some seconds in which it can be undone, since an approval makes a product at the
 * processor. The next decision carries out the one before at once.
 */
export class DecisionQueue<Of> {
  readonly #deps: QueueDeps<Of>;
  readonly #cancels = new Map<number, () => void>();
  #taken: readonly Taken<Of>[] = [];
  #lastId = 0;

  constructor(deps: QueueDeps<Of>) {
    this.#deps = deps;
  }

  /** Oldest first. */
  get taken(): readonly Taken<Of>[] {
    return this.#taken;
  }

  decide(decision: Decision<Of>): void {
    if (decision.products.length === 0) return;
    // The decision before can no longer be undone.
    for (const one of this.#taken) if (one.done === null) void this.#carryOut(one);
    this.#lastId += 1;
    const one = { ...decision, id: this.#lastId, done: null };
    this.#set([...this.#taken, one]);
    this.#cancels.set(
      one.id,
      this.#deps.later(() => void this.#carryOut(one)),
    );
  }

  /** Takes the last decision back, if it is not being carried out. */
  undo(): void {
    const last = this.#taken.find(({ done }) => done === null);
    if (last === undefined) return;
    this.#cancel(last);
    this.#set(this.#taken.filter(({ id }) => id !== last.id));
  }

  async #carryOut(one: Taken<Of>): Promise<void> {
    this.#cancel(one);
    this.#note(one.id, 0);
    const queue = [...one.products];
    let done = 0;
    const work = async () => {
      for (let product = queue.shift(); product !== undefined; product = queue.shift()) {
        try {
          await this.#deps.send(one, product);
        } catch (thrown) {
          this.#deps.onFailure(product, thrown);
        }
        done += 1;
        this.#note(one.id, done);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    // The products stay out of the list until it is read again.
    await this.#deps.onDone();
    this.#set(this.#taken.filter(({ id }) => id !== one.id));
  }

  #cancel({ id }: Taken<Of>): void {
    this.#cancels.get(id)?.();
    this.#cancels.delete(id);
  }

  #note(id: number, done: number): void {
    this.#set(this.#taken.map((one) => (one.id === id ? { ...one, done } : one)));
  }

  #set(taken: readonly Taken<Of>[]): void {
    this.#taken = taken;
    this.#deps.onChange(taken);
  }
}
