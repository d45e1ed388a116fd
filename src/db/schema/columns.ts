import { integer, text } from "drizzle-orm/sqlite-core";

const environments = ["live", "test"] as const;

/** A moment as Unix milliseconds. */
export const moment = (name: string) => integer(name);

export const environment = () => text("environment", { enum: environments }).notNull();
