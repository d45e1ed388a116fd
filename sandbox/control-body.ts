import { createMiddleware } from "hono/factory";
import * as z from "zod";

/** An error that the caller can fix. */
export class Mistake extends Error {}

/** Validates a JSON body and ignores its Content-Type; a missing body counts as an empty object. */
export const body = <Schema extends z.ZodType>(schema: Schema) =>
  createMiddleware<{ Variables: { body: z.output<Schema> } }>(async (context, next) => {
    const text = await context.req.text();
    const checked = schema.safeParse(text === "" ? {} : JSON.parse(text));
    if (!checked.success) throw new Mistake(z.prettifyError(checked.error));
    context.set("body", checked.data);
    await next();
  });
