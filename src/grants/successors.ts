import { and, eq, lte } from "drizzle-orm";
import * as z from "zod";
import { type Clock, MINUTE, SECOND } from "../core/clock.ts";
import { sha256Hex } from "../core/digest.ts";
import { parseJson } from "../core/json.ts";
import { limits } from "../core/limits.ts";
import type { SecretCipher } from "../core/secret-cipher.ts";
import type { Directory } from "../db/client.ts";
import { oauthEntries } from "../db/schema/grants.ts";

/** How long a claim holds if its request never ends. */
const CLAIM = 10 * SECOND;

/** How long the holders of a replaced refresh token get its successor: as long as the access token that came with it lasts. */
const GRACE = limits.grant.tokenMinutes * MINUTE;

const keptSchema = z.object({ answer: z.string(), givenAt: z.int() });

/** `claimed`: the request is the first one, and must be {@link Successors.keep kept} or {@link Successors.release released}. */
export type Successor =
  | { readonly state: "claimed" }
  | { readonly state: "busy" }
  /** `age` in milliseconds. */
  | { readonly state: "given"; readonly answer: string; readonly age: number };

/**
 * The answers to refreshes, each for a short time, so that all processes of a host that hold the same refresh token get the same
 * successor: without them, one process would replace the other's token, whose use would then end the grant. A request is known by
 * all that it says, also by how its sender proves who it is. Answers are encrypted; requests are digests.
 */
export class Successors {
  readonly #directory: Directory;
  readonly #clock: Clock;
  readonly #cipher: SecretCipher;

  constructor({
    directory,
    clock,
    secretCipher,
  }: { readonly directory: Directory; readonly clock: Clock; readonly secretCipher: SecretCipher }) {
    this.#directory = directory;
    this.#clock = clock;
    this.#cipher = secretCipher;
  }

  /** Claims a refresh, or finds what the same one was answered. One D1 round trip. */
  async claim(request: string): Promise<Successor> {
    const [now, key] = [this.#clock.now(), await keyOf(request)];
    const claim = { value: "", metadata: null, expiresAt: now + CLAIM, unprovenSince: null };
    const [claimed, [entry]] = await this.#directory.batch([
      this.#directory
        .insert(oauthEntries)
        .values({ key, ...claim })
        .onConflictDoUpdate({ target: oauthEntries.key, set: claim, setWhere: lte(oauthEntries.expiresAt, now) })
        .returning({ key: oauthEntries.key }),
      this.#directory.select({ value: oauthEntries.value }).from(oauthEntries).where(eq(oauthEntries.key, key)),
    ]);
    if (claimed.length > 0 || entry === undefined) return { state: "claimed" };
    if (entry.value === "") return { state: "busy" };
    const { answer, givenAt } = parseJson(keptSchema, await this.#cipher.decrypt(entry.value, key));
    return { state: "given", answer, age: Math.max(0, now - givenAt) };
  }

  /** Keeps what a claimed refresh was answered. */
  async keep(request: string, answer: string): Promise<void> {
    const [now, key] = [this.#clock.now(), await keyOf(request)];
    const value = await this.#cipher.encrypt(JSON.stringify({ answer, givenAt: now }), key);
    await this.#directory
      .update(oauthEntries)
      .set({ value, expiresAt: now + GRACE })
      .where(eq(oauthEntries.key, key));
  }

  /** Gives a claim back: the refresh was refused. */
  async release(request: string): Promise<void> {
    await this.#directory.delete(oauthEntries).where(and(eq(oauthEntries.key, await keyOf(request)), eq(oauthEntries.value, "")));
  }
}

const keyOf = async (request: string): Promise<string> => `successor:${await sha256Hex(request)}`;
