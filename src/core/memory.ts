/**
 * What an isolate remembers for a while, by name. The oldest entry is dropped where there are too many. All times are in Unix
 * milliseconds.
 */
export class Memory<Value> {
  readonly #entries = new Map<string, { readonly value: Value; readonly until: number }>();
  readonly #duration: number;
  readonly #size: number;

  /** @param duration how long an entry counts, in milliseconds. @param size how many entries are kept. */
  constructor(duration: number, size: number) {
    this.#duration = duration;
    this.#size = size;
  }

  /** Undefined if nothing is remembered, or not any longer. */
  get(name: string, now: number): Value | undefined {
    const entry = this.#entries.get(name);
    return entry !== undefined && now < entry.until ? entry.value : undefined;
  }

  remember(name: string, value: Value, now: number): void {
    // The map keeps the order in which it was filled, so the first entry is the oldest one.
    this.#entries.delete(name);
    const [oldest] = this.#entries.size < this.#size ? [] : this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
    this.#entries.set(name, { value, until: now + this.#duration });
  }

  forget(name: string): void {
    this.#entries.delete(name);
  }
}
