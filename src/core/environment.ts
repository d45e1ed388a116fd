/** The processor's two worlds: what is made in one is never seen in the other. */
export type Environment = "live" | "test";
