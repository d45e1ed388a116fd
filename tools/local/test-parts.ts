/** `npm test` tries one in this many cases of a long proof; each run draws which. */
export const PARTS = 8;

export interface Scale {
  /** Whether all cases are tried: `npm run test:full`. */
  readonly isFull: boolean;
  /** The part that is tried otherwise, from 0. */
  readonly part: number;
}

/**
 * The cases of a long proof that this run tries: those of its part, or all, and at least one. Similar cases are
 * neighbours in a proof, so a part has some of each kind.
 */
export function someOf<Case>(cases: readonly Case[], { isFull, part }: Scale): readonly Case[] {
  const parts = Math.min(PARTS, cases.length);
  return isFull ? cases : cases.filter((_, index) => index % parts === part % parts);
}

/** The part that the environment names, or a random one. @throws for an invalid name */
export function drawPart(named: string | undefined): number {
  const part = named === undefined ? Math.floor(Math.random() * PARTS) : Number(named);
  if (!Number.isInteger(part) || part < 0 || part >= PARTS) throw new Error(`TEST_PART must be a whole number from 0 to ${PARTS - 1}.`);
  return part;
}
