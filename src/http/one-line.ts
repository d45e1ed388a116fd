import * as z from "zod";
import { onOneLine } from "../core/text.ts";

/**
 * A name or a label: on one line, without control, zero-width and direction characters, by which one name could look like
 * another. `max` in characters.
 */
export const oneLine = (max: number) => z.string().overwrite(onOneLine).min(1, "must not be empty").max(max);
