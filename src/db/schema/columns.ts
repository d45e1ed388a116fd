import { integer, text } from "drizzle-orm/sqlite-core";
import { environments } from "../../core/environment.ts";

/** A timestamp in Unix milliseconds. */
export const timestamp = <Name extends string>(name: Name) => integer(name);

export const environment = () => text("environment", { enum: environments }).notNull();
