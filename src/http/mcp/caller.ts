import type { Context } from "hono";
import * as z from "zod";
import { unsealToken } from "../../grants/sealed-token.ts";
import { type Credentials, keyHeadersOf } from "../authenticate.ts";
import type { AppEnv } from "../context.ts";
import type { OAuthServer } from "../oauth/server.ts";

const apiKey = z.guid();

/**
 * By what an agent is known: its key, if it sends one, or its token. Null for a token that gives nothing. A key sent as
 * `Authorization: Bearer` is none of both: the operation's error says where it belongs. A token that is not of our making is refused
 * without a query. Others are not counted by address: all customers of a hosted assistant come from its few addresses.
 */
export async function credentialsOf(context: Context<AppEnv>, oauth: OAuthServer): Promise<Credentials | null> {
  const headers = keyHeadersOf(context.req);
  const token = /^bearer +(.+)$/i.exec(context.req.header("Authorization") ?? "")?.[1]?.trim();
  if ((headers.header ?? "") !== "" || token === undefined || apiKey.safeParse(token).success) return headers;
  const deps = context.get("deps");
  const own = await unsealToken(deps.settings.encryptionKeys, token);
  const grantee = own === null ? null : await oauth.granteeOf(deps, own);
  return grantee && { by: "grant", grantee };
}
