import { HOUR } from "../support/later.ts";

/**
 * The first generation's table as small as it can be said, for a link: what a key is worth, what a request must be
 * answered, and how many links the processor must hold. It knows nothing of records, objects, steps or upstream keys.
 */

export type Body = "A" | "B";

/** What happens while a request is worked on. */
export type Disturbance =
  | "none"
  /** The object dies once, somewhere: nobody notices. */
  | "crash"
  /** It dies twice, before the link has been made or after: cut off. */
  | "cut_off_before"
  | "cut_off_after"
  /** One answer is lost: nobody notices. */
  | "answer_lost"
  /** The link is refused; out of order; made, but every answer is lost. */
  | "refused"
  | "outage"
  /** A failure is kept by the processor under our key, once or for as long as it is asked. */
  | "kept_failure"
  | "kept_outage"
  | "all_answers_lost"
  /** The link is made, but its line cannot be had, or its short link. */
  | "line_outage"
  | "no_short_link";

export type Expected =
  | { readonly outcome: "success"; readonly isReplay: boolean; readonly retryCount: number; readonly linkNumber: number }
  | { readonly outcome: "idempotency_conflict" | "stripe_error" | "short_url_unavailable" | "internal_error" };

interface Key {
  readonly body: Body;
  state: "running" | "completed" | "failing" | "failed_terminal" | "awaiting";
  completedAt: number;
  /** When the work under way was begun, and when it was last touched. */
  readonly begunAt: number;
  touchedAt: number;
  /** Of the upstream keys, which are not trusted any more 23 hours later: then what was made is looked for. */
  keysFrom: number;
  /** Whether the processor keeps a failure under the key that is asked under first. */
  keyIsSpoilt: boolean;
  /** Whether a call may have been made under the key: then a refusal does not show what that one did. */
  wasTried: boolean;
  /** Whether the processor holds the attempt's link, and whether we know of it. */
  link: "none" | "unknown" | "stored";
  linkNumber: number;
  /** Whether the last failure may be gone on from, and from when on it is undone instead. */
  resumable: boolean;
  undoneFrom: number;
  lastError: string;
  inARow: number;
  failedAttempts: number;
}

export class Model {
  /** How many links the processor must hold. */
  links = 0;
  readonly #keys = new Map<string, Key>();
  #now = 0;

  request(name: string, body: Body, disturbance: Disturbance, now: number): Expected {
    const key = this.#keys.get(name);
    if (key !== undefined && key.body !== body) return { outcome: "idempotency_conflict" };
    if (key?.state === "awaiting") return { outcome: "short_url_unavailable" };
    if (key?.state === "failed_terminal") return { outcome: "stripe_error" };
    if (key?.state === "completed" && now - key.completedAt <= 24 * HOUR) return this.#replay(key);
    return this.#attempt(this.#begin(name, body, key, now), disturbance, now);
  }

  /** A person completes what waits for it; undefined where nothing does. */
  manual(name: string, now: number): number | undefined {
    const key = this.#keys.get(name);
    if (key?.state === "awaiting") this.#complete(key, now);
    return key?.state === "completed" ? key.linkNumber : undefined;
  }

  /**
   * The cron finishes what was cut off; what is old it leaves alone for half its age, or six hours. What a failure has
   * left is undone: a day later, or soon where nobody can go on from it.
   */
  cron(now: number): void {
    for (const key of this.#keys.values()) {
      if (key.state === "failing" && now > key.undoneFrom) key.resumable = false;
      const isLeftAlone = now - key.touchedAt <= Math.min(6 * HOUR, (key.touchedAt - key.begunAt) / 2);
      if (key.state === "running" && !isLeftAlone) this.#attempt(key, "none", now);
    }
  }

  #begin(name: string, body: Body, key: Key | undefined, now: number): Key {
    const isNew = key === undefined || key.state === "completed";
    if (key?.state === "running" || (key?.state === "failing" && key.resumable)) return key;
    const fresh: Key = {
      body,
      state: "running",
      completedAt: 0,
      begunAt: now,
      touchedAt: now,
      keysFrom: now,
      keyIsSpoilt: false,
      wasTried: false,
      link: "none",
      linkNumber: 0,
      resumable: false,
      undoneFrom: Number.POSITIVE_INFINITY,
      lastError: isNew ? "" : key.lastError,
      inARow: isNew ? 0 : key.inARow,
      failedAttempts: isNew ? 0 : key.failedAttempts,
    };
    this.#keys.set(name, fresh);
    return fresh;
  }

  #attempt(key: Key, disturbance: Disturbance, now: number): Expected {
    this.#now = now;
    key.touchedAt = now;
    if (key.link !== "stored") {
      const failed = this.#askForLink(key, disturbance, now);
      if (failed !== null) return failed;
      key.link = "stored";
    }
    if (disturbance === "cut_off_before" || disturbance === "cut_off_after") return this.#cutOff(key);
    if (disturbance === "line_outage") return this.#fail(key, "stripe_error:", true);
    if (disturbance === "no_short_link") {
      this.#fail(key, "short_url_unavailable", true);
      key.state = "awaiting";
      return { outcome: "short_url_unavailable" };
    }
    this.#complete(key, now);
    return { ...this.#replay(key), isReplay: false };
  }

  /** Has the link made, or found; null once it is there. */
  #askForLink(key: Key, disturbance: Disturbance, now: number): Expected | null {
    if (disturbance === "cut_off_before") {
      key.wasTried = true;
      return this.#cutOff(key);
    }
    if (now - key.keysFrom > 23 * HOUR) {
      // The first call looks for it.
      if (disturbance === "cut_off_after") return this.#cutOff(key);
      if (key.link === "unknown") return null;
      key.keysFrom = now;
      key.keyIsSpoilt = false;
      key.wasTried = false;
    }
    const { wasTried } = key;
    key.wasTried = true;
    if (disturbance === "refused") {
      if (!wasTried) return this.#fail(key, "stripe_error:injected_fault", false);
      // The link is looked for, and made under the next key, which is not refused.
      key.keyIsSpoilt = false;
    }
    if (disturbance === "kept_outage" && key.link === "none") key.keyIsSpoilt = true;
    if (disturbance === "outage" || disturbance === "kept_outage") return this.#fail(key, "stripe_error:", true);
    // What is asked under a spoilt key is not done; the next key is only asked under once that is known.
    if (key.keyIsSpoilt && disturbance === "cut_off_after") return this.#cutOff(key);
    if (key.keyIsSpoilt && disturbance === "all_answers_lost") return this.#fail(key, "stripe_error:", true);
    this.#make(key);
    if (disturbance === "cut_off_after") return this.#cutOff(key);
    if (disturbance === "all_answers_lost") return this.#fail(key, "stripe_error:", true);
    return null;
  }

  #make(key: Key): void {
    if (key.link !== "none") return;
    this.links += 1;
    key.link = "unknown";
    key.linkNumber = this.links;
  }

  #cutOff(key: Key): Expected {
    key.state = "running";
    return { outcome: "internal_error" };
  }

  #fail(key: Key, error: string, resumable: boolean): Expected {
    key.inARow = key.lastError === error ? key.inARow + 1 : 1;
    key.lastError = error;
    key.failedAttempts += 1;
    key.resumable = resumable;
    key.state = key.inARow > 5 ? "failed_terminal" : "failing";
    key.undoneFrom = this.#now + 24 * HOUR;
    return { outcome: "stripe_error" };
  }

  #complete(key: Key, now: number): void {
    key.state = "completed";
    key.completedAt = now;
  }

  #replay(key: Key) {
    return { outcome: "success", isReplay: true, retryCount: key.failedAttempts, linkNumber: key.linkNumber } as const;
  }
}
