import { Hono } from "hono";
import * as z from "zod";
import { limitBody, readJson } from "../body.ts";
import { CallRefusal } from "../calls/refusal.ts";
import type { AppEnv } from "../context.ts";
import { methodNotAllowed, plainError, tooManyRequests } from "../error-response.ts";
import { parseInput } from "../shape.ts";
import { isOpsToken, nameOf, refuseLogin, requireOwnOrigin, signedInOperator } from "./operator-auth.ts";
import { beginSession, endSession } from "./session.ts";

/** Where a browser's session begins, is shown and ends. */
const SESSION = "/ops/session";

const signInBody = z.strictObject({
  token: z.string().min(1, "must not be empty").max(500),
  name: z.string().trim().min(1, "must not be empty").max(64).describe("Your name, for the audit log"),
});

const sessionAnswer = z.object({
  operator: z.string(),
  roles: z.array(z.string()).describe("Empty: this person may do nothing yet"),
  session: z.string().nullable().describe("The name of this browser's session, as `sessions list` has it; null with Cloudflare Access"),
  by: z.enum(["access", "token"]).describe("How the person signed in: by Cloudflare Access, or with the shared token"),
});

/** `/ops/session`: what the console's pages ask before anything else. Programs send the token with each call instead. */
export function sessionRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.use(SESSION, async (context, next) => {
    context.header("Cache-Control", "no-store");
    return next();
  });
  app.get(SESSION, async (context) => {
    const found = await signedInOperator(context);
    if (found === null) return plainError(context, 401, "No operator is signed in.");
    const { name, roles, by, session = null } = found;
    return context.json(sessionAnswer.parse({ operator: name, roles: [...roles], by, session }));
  });
  app.post(SESSION, limitBody, async (context) => {
    const { rateLimits, settings, address } = context.get("deps");
    requireOwnOrigin(context);
    const { token, name } = parseInput(signInBody, await readJson(context.req));
    if (!(await isOpsToken(token, settings.opsToken))) {
      const wait = await rateLimits.operatorLogins.waitForSlot(address);
      if (wait > 0) return tooManyRequests(context, `Too many refused logins from this address. Try again in ${wait} seconds.`, wait);
      await refuseLogin(context);
      throw new CallRefusal(401, "This is not the operators' token.");
    }
    const operator = nameOf(encodeURIComponent(name));
    await beginSession(context, operator);
    return context.json({ success: true, operator }, 201);
  });
  app.delete(SESSION, async (context) => {
    requireOwnOrigin(context);
    await endSession(context);
    return context.json({ success: true });
  });
  app.all(SESSION, methodNotAllowed("GET, HEAD, POST, DELETE"));
  return app;
}

type Describe = (schema: z.ZodType, io: "input" | "output") => Readonly<Record<string, unknown>>;

const answered = (description: string, schema: object) => ({ description, content: { "application/json": { schema } } });

/** The session's paths in the description of the operators' calls. */
export function describeSession(jsonSchemaOf: Describe) {
  const done = jsonSchemaOf(z.object({ success: z.literal(true) }), "output");
  return {
    [SESSION]: {
      get: {
        operationId: "session-show",
        summary: "The operator who is signed in in this browser",
        responses: { 200: answered("Signed in", jsonSchemaOf(sessionAnswer, "output")) },
      },
      post: {
        operationId: "session-begin",
        summary: "Begins a session of a browser with the shared token, for eight hours",
        requestBody: { required: true, content: { "application/json": { schema: jsonSchemaOf(signInBody, "input") } } },
        responses: { 201: answered("Signed in", done) },
      },
      delete: {
        operationId: "session-end",
        summary: "Signs out: the session ends, not only its cookie",
        responses: { 200: answered("Signed out", done) },
      },
    },
  };
}
