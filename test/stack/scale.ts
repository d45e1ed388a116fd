import { someOf as ofScale, seedOf } from "../../tools/local/test-scale.ts";

/** Whether the long proofs run in full (`npm run test:full`); by default they try a part of their cases. */
export const isFull = process.env.TEST_SCALE === "full";

/** The seed of what this run tries by chance. */
export const seed = seedOf(process.env.TEST_SEED, isFull);

/** The cases of a long proof that this run tries. */
export const someOf = <Case>(cases: readonly Case[]) => ofScale(cases, isFull);
