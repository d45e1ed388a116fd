import { and, asc, eq, gt, inArray, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { type Clock, MINUTE, SECOND } from "../core/clock.ts";
import { parseJson } from "../core/json.ts";
import { limits } from "../core/limits.ts";
import type { Directory } from "../db/client.ts";
import { grants, oauthEntries } from "../db/schema/grants.ts";

/** Another request changed an entry between this one's reading and writing: of two, only one may use a code or a token. */
export class EntryChanged extends Error {
  override readonly name = "EntryChanged";
}

interface PutOptions {
  /** Seconds from now. */
  readonly expirationTtl?: number;
  /** Unix seconds. */
  readonly expiration?: number;
  readonly metadata?: unknown;
}

interface ListOptions {
  readonly prefix?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

/** An unknown caller sends more than is stored for it. */
export class EntryTooLong extends Error {
  override readonly name = "EntryTooLong";
}

/** What anybody can have stored: a registration, and a page that waits for a person. */
const UNPROVEN = /^(?:client|transaction):/;

/** What is used once, or replaced by each use. Two requests at once must not both find it unused. */
const USED_ONCE = /^(?:grant|transaction|client-assertion-jti):/;

const anything = z.unknown();

/**
 * The OAuth library's entries, in the directory. The library expects a KV namespace, which answers for a minute what is
 * no longer so; a code could be used twice in that time. So this has the few methods of KV that the library calls, and
 * each change of an entry that is used once holds only if the entry is still as this request read it. One for each request.
 */
export class OAuthEntries {
  readonly #directory: Directory;
  readonly #clock: Clock;
  readonly #read = new Map<string, string | null>();

  constructor(directory: Directory, clock: Clock) {
    this.#directory = directory;
    this.#clock = clock;
  }

  /** The text of an entry, or with `type: "json"` what it says; null if there is none. One D1 round trip. */
  async get(key: string, options: { readonly type?: "json" | "text" } = {}): Promise<unknown> {
    const isThere = and(eq(oauthEntries.key, key), this.#isValid());
    const row = await this.#directory.select({ value: oauthEntries.value }).from(oauthEntries).where(isThere).get();
    const text = row?.value ?? null;
    this.#read.set(key, text);
    return text !== null && options.type === "json" ? parseJson(anything, text) : text;
  }

  /**
   * Writes an entry. An entry of an unknown caller ends after an hour, and the oldest of them go when there are too many
   * ({@link limits.unproven}); {@link provenClient} keeps a registration that a person has signed in with.
   * @throws EntryChanged if it is used once, and another request has written or deleted it since it was read.
   * @throws EntryTooLong
   */
  async put(key: string, given: string, { expirationTtl, expiration, metadata }: PutOptions = {}): Promise<void> {
    const now = this.#clock.now();
    const isUnproven = UNPROVEN.test(key) && !(await this.#hasGrant(key));
    const value = key.startsWith("client:") ? withShortName(given) : given;
    if (isUnproven && new TextEncoder().encode(value).byteLength > limits.unproven.bytes) throw new EntryTooLong("too much is sent");
    const ends = expirationTtl === undefined ? expiration : now / SECOND + expirationTtl;
    const lastsUntil = ends === undefined ? null : Math.round(ends * SECOND);
    const row = {
      value,
      metadata: metadata === undefined ? null : JSON.stringify(metadata),
      expiresAt: isUnproven ? Math.min(lastsUntil ?? Number.POSITIVE_INFINITY, now + limits.unproven.minutes * MINUTE) : lastsUntil,
      unprovenSince: isUnproven ? now : null,
    };
    const read = this.#read.get(key);
    const { meta } =
      typeof read === "string" && USED_ONCE.test(key)
        ? await this.#directory.update(oauthEntries).set(row).where(isStill(key, read))
        : await this.#directory
            .insert(oauthEntries)
            .values({ key, ...row })
            .onConflictDoUpdate({ target: oauthEntries.key, set: row, setWhere: this.#mayReplace(key, now) });
    if (meta.changes === 0) throw new EntryChanged("an entry changed meanwhile");
    this.#read.set(key, value);
    if (isUnproven) await this.#dropOldest();
  }

  /** Whether a person has signed in with a registration. */
  async #hasGrant(key: string): Promise<boolean> {
    const isOfClient = eq(grants.clientId, key.replace(/^client:/, ""));
    return (await this.#directory.select({ id: grants.id }).from(grants).where(isOfClient).limit(1).get()) !== undefined;
  }

  /** Deletes the oldest entries of unknown callers above their number. */
  async #dropOldest(): Promise<void> {
    const { key, unprovenSince } = oauthEntries;
    const newestFirst = sql`SELECT ${key} FROM ${oauthEntries} WHERE ${unprovenSince} IS NOT NULL ORDER BY ${unprovenSince} DESC`;
    const tooMany = sql`(${newestFirst} LIMIT -1 OFFSET ${limits.unproven.entries})`;
    await this.#directory.delete(oauthEntries).where(inArray(key, tooMany));
  }

  /**
   * Deletes an entry. With the library's grant ends ours, whatever a request at the same time makes of it: it was given back, or
   * its code was used twice. @throws EntryChanged if it is a page that was answered already.
   */
  async delete(key: string): Promise<void> {
    const read = this.#read.get(key);
    const isStrict = typeof read === "string" && key.startsWith("transaction:");
    const isMeant = isStrict ? isStill(key, read) : eq(oauthEntries.key, key);
    const ours = sql`(SELECT json_extract(value, '$.metadata.grantId') FROM ${oauthEntries} WHERE ${isMeant})`;
    const [, { meta }] = await this.#directory.batch([
      this.#directory
        .update(grants)
        .set({ endedAt: this.#clock.now() })
        .where(and(sql`${key.startsWith("grant:")}`, eq(grants.id, ours), isNull(grants.endedAt))),
      this.#directory.delete(oauthEntries).where(isMeant),
    ]);
    if (meta.changes === 0 && isStrict) throw new EntryChanged("an entry changed meanwhile");
    this.#read.set(key, null);
  }

  /** The entries whose keys begin with `prefix`, in the order of their keys. One D1 round trip. */
  async list({ prefix = "", limit = 1_000, cursor = "" }: ListOptions = {}) {
    const { key, metadata, expiresAt } = oauthEntries;
    // No key has a character from the end of Unicode.
    const isNext = and(gt(key, cursor === "" ? prefix : cursor), lt(key, `${prefix}\u{10FFFF}`), this.#isValid());
    const rows = await this.#directory
      .select({ key, metadata, expiresAt })
      .from(oauthEntries)
      .where(isNext)
      .orderBy(asc(key))
      .limit(limit)
      .all();
    const keys = rows.map((row) => ({
      name: row.key,
      ...(row.metadata === null ? {} : { metadata: parseJson(anything, row.metadata) }),
      ...(row.expiresAt === null ? {} : { expiration: Math.floor(row.expiresAt / SECOND) }),
    }));
    const last = keys.at(-1);
    return rows.length < limit || last === undefined
      ? { keys, list_complete: true as const }
      : { keys, list_complete: false as const, cursor: last.name };
  }

  #isValid(): SQL | undefined {
    return or(isNull(oauthEntries.expiresAt), gt(oauthEntries.expiresAt, this.#clock.now()));
  }

  /** Whether an entry that is there may be replaced: what is used once may only be if it was not read, or has expired. */
  #mayReplace(key: string, now: number): SQL {
    return this.#read.get(key) === null && USED_ONCE.test(key) ? sql`${oauthEntries.expiresAt} <= ${now}` : sql`TRUE`;
  }
}

/** A registration that lasts as long as grants do: a person has signed in with it. Run it in one batch with the new grant. */
export function provenClient(directory: Directory, clientId: string, until: number) {
  return directory
    .update(oauthEntries)
    .set({ unprovenSince: null, expiresAt: until })
    .where(eq(oauthEntries.key, `client:${clientId}`));
}

const registration = z.looseObject({ clientName: z.string().optional() });

/** A registration with the beginning of its name: the pages show no more. */
function withShortName(value: string): string {
  const client = parseJson(registration, value);
  return client.clientName === undefined
    ? value
    : JSON.stringify({ ...client, clientName: client.clientName.slice(0, limits.unproven.nameCharacters) });
}

/** Whether an entry is as it was read. */
function isStill(key: string, value: string): SQL | undefined {
  return and(eq(oauthEntries.key, key), eq(oauthEntries.value, value));
}
