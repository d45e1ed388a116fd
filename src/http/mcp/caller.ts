import type { Context } from "hono";
import * as z from "zod";
import { type Credentials, keyHeadersOf } from "../authenticate.ts";
import type { AppEnv } from "../context.ts";
import type { OAuthServer } from "../oauth/server.ts";

const apiKey = z.guid();

/**
 * By what an agent is known: its key, if it sends one, or its token. Null for a token that gives nothing. A key sent as
 * `Authorization: Bearer` is none of both: the operation's error says where it belongs. Refused tokens are not counted by
 * address: nobody guesses one, and all customers of a hosted assistant come from its few addresses.
 */
export async function credentialsOf(context: Context<AppEnv>, oauth: OAuthServer): Promise<Credentials | null> {
  const headers = keyHeadersOf(context.req);
  const token = /^bearer +(.+)$/i.exec(context.req.header("Authorization") ?? "")?.[1]?.trim();
  if ((headers.header ?? "") !== "" || token === undefined || apiKey.safeParse(token).success) return headers;
  const deps = context.get("deps");
  const grantee = await oauth.granteeOf(deps, token);
  return grantee && { by: "grant", grantee };
}
