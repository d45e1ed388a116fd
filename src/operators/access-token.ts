import { createRemoteJWKSet, customFetch, errors, jwtVerify } from "jose";
import * as z from "zod";

/** The team and the application of Cloudflare Access that people sign in to. */
export interface AccessSettings {
  /** For example `acme.cloudflareaccess.com`. */
  readonly teamDomain: string;
  /** The application's audience tag. */
  readonly audience: string;
}

/** The e-mail address of the person in a Cloudflare Access token. Null for an invalid token. */
export type VerifyAccessToken = (token: string, now: number) => Promise<string | null>;

const payloadSchema = z.object({ email: z.string().min(3) });

/**
 * Verifies tokens of Cloudflare Access: signature by the team's keys, issuer, audience and time. A token of another
 * application of the same team has another audience. The keys are fetched on first use, and cached.
 * @param fetcher fetches the keys; only tests replace it.
 */
export function createAccessVerifier({ teamDomain, audience }: AccessSettings, fetcher: typeof fetch = fetch): VerifyAccessToken {
  const issuer = `https://${teamDomain}`;
  const remote = createRemoteJWKSet(new URL("/cdn-cgi/access/certs", issuer), { [customFetch]: (url, options) => fetcher(url, options) });
  const keys: typeof remote = Object.assign(async (...wanted: Parameters<typeof remote>) => {
    try {
      return await remote(...wanted);
    } catch (cause) {
      throw OF_THE_TOKEN.some((fault) => cause instanceof fault) ? cause : new KeysUnavailable("the keys of Access", { cause });
    }
  }, remote);
  return async (token, now) => {
    try {
      const { payload } = await jwtVerify(token, keys, { issuer, audience, algorithms: ["RS256"], currentDate: new Date(now) });
      return payloadSchema.parse(payload).email.toLowerCase();
    } catch (thrown) {
      if (thrown instanceof KeysUnavailable) throw thrown;
      return null;
    }
  };
}

/** The keys could not be fetched or read. Only this is no fault of the token. */
class KeysUnavailable extends Error {
  override readonly name = "KeysUnavailable";
}

/** Why a token has no key, although the keys were fetched. */
const OF_THE_TOKEN = [errors.JWKSNoMatchingKey, errors.JWKSMultipleMatchingKeys, errors.JOSENotSupported];
