import { env } from "cloudflare:workers";
import { someOf as ofScale } from "../../tools/local/test-scale.ts";

/** Whether the long proofs run in full (`npm run test:full`); by default they try a part of their cases. */
export const isFull = env.TEST_SCALE === "full";

/** The cases of a long proof that this run tries. */
export const someOf = <Case>(cases: readonly Case[]) => ofScale(cases, isFull);
