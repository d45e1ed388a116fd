import type { Context } from "hono";
import * as z from "zod";
import { holderIn, isOfHolder } from "../../grants/holder-id.ts";
import { checkAddress } from "../../rate-limits/admission.ts";
import { type Credentials, keyHeadersOf } from "../authenticate.ts";
import type { AppEnv } from "../context.ts";
import type { OAuthServer } from "../oauth/server.ts";

const apiKey = z.guid();

/**
 * By what an agent is known: its key, if it sends one, or its token. Null for a token that gives nothing. A key sent as
 * `Authorization: Bearer` is none of both: the operation's error says where it belongs. A token that is not of our making is refused
 * without a query. Others are counted by the holder that they name, and not by address: all customers of a hosted assistant come from
 * its few addresses.
 * @throws ServiceFailure `rate_limited` where too many refused tokens of a holder wait.
 */
export async function credentialsOf(context: Context<AppEnv>, oauth: OAuthServer): Promise<Credentials | null> {
  const headers = keyHeadersOf(context.req);
  const token = /^bearer +(.+)$/i.exec(context.req.header("Authorization") ?? "")?.[1]?.trim();
  if ((headers.header ?? "") !== "" || token === undefined || apiKey.safeParse(token).success) return headers;
  const deps = context.get("deps");
  if (!(await isOfHolder(deps.settings.encryptionKeys, token))) return null;
  const holder = holderIn(token);
  await checkAddress(deps.rateLimits, holder);
  const grantee = await oauth.granteeOf(deps, token);
  if (grantee === null) await deps.rateLimits.refusedKeys.refuse(holder);
  return grantee && { by: "grant", grantee };
}
