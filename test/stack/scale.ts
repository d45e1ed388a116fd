/** Whether the long proofs run in full (`npm run test:full`); by default they try a part of their cases. */
export const isFull = process.env.TEST_SCALE === "full";
