/** An action or a disturbance, with its result. */
export interface Entry {
  /** Milliseconds since the start. */
  readonly at: number;
  readonly actor: "partner" | "customer" | "operator" | "receiver" | "processor" | "disturbance";
  readonly what: string;
  /** Its ids: tokens, links, payments, partners. */
  readonly about: readonly string[];
  readonly outcome: string;
}

/** The history of a run, in the order of completion. */
export class History {
  readonly entries: Entry[] = [];
  readonly #began = Date.now();

  note(actor: Entry["actor"], what: string, about: readonly (string | undefined)[], outcome: string): void {
    const ids = about.filter((id): id is string => id !== undefined && ID.test(id));
    this.entries.push({ at: Date.now() - this.#began, actor, what, about: ids, outcome });
  }

  /**
   * The entries about one object, and the disturbances of the service in that time: the shortest history that can
   * explain it.
   */
  of(id: string): Entry[] {
    const known = new Set([id]);
    // Other ids in an entry belong to the object too: the link of a token, the payment of a link.
    for (let size = 0; size !== known.size; ) {
      size = known.size;
      for (const { about } of this.entries)
        if (about.some((one) => known.has(one))) for (const one of about) if (!isShared(one)) known.add(one);
    }
    const own = new Set(this.entries.filter(({ about }) => about.some((one) => known.has(one))));
    const [first] = own;
    if (first === undefined) return [];
    const [from, to] = [first.at - AROUND, ([...own].at(-1)?.at ?? 0) + AROUND];
    return this.entries.filter((entry) => own.has(entry) || (entry.actor === "disturbance" && entry.at >= from && entry.at <= to));
  }
}

/** Ids of created objects; answers contain other words too. */
const ID = /^(?:(?:plink|promo|pi|sub|du|re|ch|py|txn|cs)_|order-|reference-|rotation-|partner-|\d)/;

/** Milliseconds before and after in which a disturbance may have had an effect. */
const AROUND = 2_000;

/** Partner ids are in nearly every entry, and connect nothing. */
function isShared(id: string): boolean {
  return id.startsWith("partner-");
}
