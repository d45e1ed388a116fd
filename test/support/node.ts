import { timingSafeEqual } from "node:crypto";

/** The one function of the Workers runtime that the pure rules use and that Node.js lacks. */
Object.assign(crypto.subtle, { timingSafeEqual });
