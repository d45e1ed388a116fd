import { and, asc, eq, gt, inArray, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { SERVICE_NAME } from "../core/actor.ts";
import { type Clock, MINUTE, SECOND } from "../core/clock.ts";
import { parseJson } from "../core/json.ts";
import { limits } from "../core/limits.ts";
import type { Directory } from "../db/client.ts";
import { grants, oauthEntries } from "../db/schema/grants.ts";
import { endGrant } from "./admin.ts";

/**
 * Another request changed an entry between this request's read and its write. Only one of them may use a code or a
 * token.
 */
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

/** An unauthenticated caller sent more than the limit for an entry. */
export class EntryTooLong extends Error {
  override readonly name = "EntryTooLong";
}

/** Entries that an unauthenticated caller can create: a registration, and a page that waits for a person. */
const UNPROVEN = /^(?:client|transaction):/;

/** Entries that are used once, or replaced by each use. Two parallel requests must not both find one unused. */
const USED_ONCE = /^(?:grant|transaction|client-assertion-jti):/;

const anything = z.unknown();

/**
 * The OAuth library's entries, in the directory. The library expects a KV namespace. KV can return outdated values for
 * a minute, so a code could be used twice. This class has the few KV methods that the library calls, and writes a
 * used-once entry only if it is unchanged since this request read it. One instance per request.
 */
export class OAuthEntries {
  readonly #directory: Directory;
  readonly #clock: Clock;
  readonly #requestId: string;
  readonly #read = new Map<string, string | null>();

  constructor({ directory, clock, requestId }: { readonly directory: Directory; readonly clock: Clock; readonly requestId: string }) {
    this.#directory = directory;
    this.#clock = clock;
    this.#requestId = requestId;
  }

  /** The text of an entry, or its JSON with `type: "json"`; null if there is none. One D1 round trip. */
  async get(key: string, options: { readonly type?: "json" | "text" } = {}): Promise<unknown> {
    const isThere = and(eq(oauthEntries.key, key), this.#isValid());
    const row = await this.#directory.select({ value: oauthEntries.value }).from(oauthEntries).where(isThere).get();
    const text = row?.value ?? null;
    this.#read.set(key, text);
    return text !== null && options.type === "json" ? parseJson(anything, text) : text;
  }

  /**
   * Writes an entry. An entry of an unauthenticated caller expires after an hour, and the oldest are deleted when there
   * are too many ({@link limits.unproven}). A new grant keeps the registration of its host.
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
    if (meta.changes === 0) throw new EntryChanged("another request changed an entry");
    this.#read.set(key, value);
    if (isUnproven) await this.#dropOldest();
  }

  /** Whether a person has signed in with a registration. */
  async #hasGrant(key: string): Promise<boolean> {
    const isOfClient = eq(grants.clientId, key.replace(/^client:/, ""));
    return (await this.#directory.select({ id: grants.id }).from(grants).where(isOfClient).limit(1).get()) !== undefined;
  }

  /** Deletes the oldest entries of unauthenticated callers above the limit. */
  async #dropOldest(): Promise<void> {
    const { key, unprovenSince } = oauthEntries;
    const newestFirst = sql`SELECT ${key} FROM ${oauthEntries} WHERE ${unprovenSince} IS NOT NULL ORDER BY ${unprovenSince} DESC`;
    const tooMany = sql`(${newestFirst} LIMIT -1 OFFSET ${limits.unproven.entries})`;
    await this.#directory.delete(oauthEntries).where(inArray(key, tooMany));
  }

  /**
   * Deletes an entry. Deleting the library's grant also ends ours: its host gave it back, or its code was used twice.
   * @throws EntryChanged if the page was already answered.
   */
  async delete(key: string): Promise<void> {
    const read = this.#read.get(key);
    const isStrict = typeof read === "string" && key.startsWith("transaction:");
    const isMeant = isStrict ? isStill(key, read) : eq(oauthEntries.key, key);
    if (key.startsWith("grant:")) await this.#endGrant(key);
    const { meta } = await this.#directory.delete(oauthEntries).where(isMeant);
    if (meta.changes === 0 && isStrict) throw new EntryChanged("another request changed an entry");
    this.#read.set(key, null);
  }

  async #endGrant(key: string): Promise<void> {
    const ours = sql<string | null>`json_extract(${oauthEntries.value}, '$.metadata.grantId')`;
    const row = await this.#directory.select({ id: ours }).from(oauthEntries).where(eq(oauthEntries.key, key)).get();
    const actor = { name: SERVICE_NAME, requestId: this.#requestId };
    if (typeof row?.id === "string")
      await endGrant(
        { directory: this.#directory, clock: this.#clock },
        row.id,
        actor,
        "its host gave it back, or its code was used twice",
      );
  }

  /** The entries whose keys begin with `prefix`, in the order of their keys. One D1 round trip. */
  async list({ prefix = "", limit = 1_000, cursor = "" }: ListOptions = {}) {
    const { key, metadata, expiresAt } = oauthEntries;
    // No key contains this character from the end of Unicode.
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

  /**
   * Whether an existing entry may be replaced: a used-once entry only if this request has not read it, or it has
   * expired.
   */
  #mayReplace(key: string, now: number): SQL {
    return this.#read.get(key) === null && USED_ONCE.test(key) ? sql`${oauthEntries.expiresAt} <= ${now}` : sql`TRUE`;
  }
}

const registration = z.looseObject({ clientName: z.string().optional() });

/** A registration with a truncated name: the pages show no more. */
function withShortName(value: string): string {
  const client = parseJson(registration, value);
  return client.clientName === undefined
    ? value
    : JSON.stringify({ ...client, clientName: client.clientName.slice(0, limits.unproven.nameCharacters) });
}

/** Whether an entry is unchanged since it was read. */
function isStill(key: string, value: string): SQL | undefined {
  return and(eq(oauthEntries.key, key), eq(oauthEntries.value, value));
}
