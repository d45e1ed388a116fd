/**
 * An in-memory cache of the isolate, by name. When it is full, the oldest entry is dropped. All times are in Unix
 * milliseconds.
 */
export class Memory<Value> {
  readonly #entries = new Map<string, { readonly value: Value; readonly until: number }>();
  readonly #duration: number;
  readonly #size: number;

  /** @param duration the lifetime of an entry in milliseconds. @param size the maximum number of entries. */
  constructor(duration: number, size: number) {
    this.#duration = duration;
    this.#size = size;
  }

  /** Undefined if there is no entry, or it has expired. */
  get(name: string, now: number): Value | undefined {
    const entry = this.#entries.get(name);
    return entry !== undefined && now < entry.until ? entry.value : undefined;
  }

  remember(name: string, value: Value, now: number): void {
    // A map keeps insertion order, so the first entry is the oldest one.
    this.#entries.delete(name);
    const [oldest] = this.#entries.size < this.#size ? [] : this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
    this.#entries.set(name, { value, until: now + this.#duration });
  }

  forget(name: string): void {
    this.#entries.delete(name);
  }
}
