import { createMiddleware } from "hono/factory";
import { z } from "zod";

/** Something that whoever called can mend. */
export class Mistake extends Error {}

/** A JSON body of this shape, whatever it calls itself; none is an empty one. */
export const body = <Schema extends z.ZodType>(schema: Schema) =>
  createMiddleware<{ Variables: { body: z.output<Schema> } }>(async (context, next) => {
    const text = await context.req.text();
    const checked = schema.safeParse(text === "" ? {} : JSON.parse(text));
    if (!checked.success) throw new Mistake(z.prettifyError(checked.error));
    context.set("body", checked.data);
    await next();
  });
