import type { Actor } from "../../src/core/actor.ts";

/** An operator, in some request. */
export const ANNA: Actor = { name: "Anna", requestId: "00000000-0000-4000-8000-000000000001" };
