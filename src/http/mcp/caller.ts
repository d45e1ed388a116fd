import type { Context } from "hono";
import * as z from "zod";
import { unsealToken } from "../../grants/sealed-token.ts";
import { type Credentials, keyHeadersOf } from "../authenticate.ts";
import type { AppEnv } from "../context.ts";
import { headerValue } from "../headers.ts";
import type { OAuthServer } from "../oauth/server.ts";

const apiKey = z.guid();

/**
 * The credentials of an agent: its key, if it sends one, or its token. Null for an invalid token. A key sent as
 * `Authorization: Bearer` is neither: the operation's error says where it belongs. A token without our seal is refused
 * without a query. Other invalid tokens are not counted by address, because all customers of a hosted assistant share a
 * few addresses.
 */
export async function credentialsOf(context: Context<AppEnv>, oauth: OAuthServer): Promise<Credentials | null> {
  const headers = keyHeadersOf(context.req.raw);
  const token = /^bearer +(.+)$/i.exec(headerValue(context.req.raw.headers, "Authorization") ?? "")?.[1]?.trim();
  if (headers.header !== undefined || token === undefined || apiKey.safeParse(token).success) return headers;
  const deps = context.get("deps");
  const own = await unsealToken(deps.settings.encryptionKeys, token);
  const grantee = own === null ? null : await oauth.granteeOf(deps, own);
  return grantee && { by: "grant", grantee };
}
