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
  const keys = createRemoteJWKSet(new URL("/cdn-cgi/access/certs", issuer), { [customFetch]: (url, options) => fetcher(url, options) });
  return async (token, now) => {
    try {
      const { payload } = await jwtVerify(token, keys, { issuer, audience, algorithms: ["RS256"], currentDate: new Date(now) });
      return payloadSchema.parse(payload).email.toLowerCase();
    } catch (thrown) {
      if (isTokensFault(thrown)) return null;
      throw thrown;
    }
  };
}

/** Errors of the token itself. Other errors, such as keys that cannot be fetched, are not the caller's. */
const TOKENS_FAULTS = [
  errors.JWTExpired,
  errors.JWTClaimValidationFailed,
  errors.JWTInvalid,
  errors.JWSInvalid,
  errors.JWSSignatureVerificationFailed,
  errors.JOSEAlgNotAllowed,
  errors.JWKSNoMatchingKey,
  z.ZodError,
];

function isTokensFault(thrown: unknown): boolean {
  return TOKENS_FAULTS.some((fault) => thrown instanceof fault);
}
