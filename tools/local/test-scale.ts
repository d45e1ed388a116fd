/** `npm test` tries one in this many cases of a long proof: always the same ones, so that the same tree is the same work. */
const EVERY = 8;

/**
 * The cases of a long proof that a run tries: all in `npm run test:full`; otherwise one in eight, and at least one. Similar cases are
 * neighbours in a proof, so there is one of each kind.
 */
export function someOf<Case>(cases: readonly Case[], isFull: boolean): readonly Case[] {
  return isFull ? cases : cases.filter((_, index) => index % EVERY === 0);
}

/** The seed of what the tests try by chance: the same in each `npm test`, another one in each `npm run test:full`. */
export function seedOf(named: string | undefined, isFull: boolean): number {
  const seed = named === undefined ? (isFull ? Math.floor(Math.random() * 2 ** 31) : 1) : Number(named);
  if (!Number.isInteger(seed) || seed < 0) throw new Error("TEST_SEED must be a whole number.");
  return seed;
}
