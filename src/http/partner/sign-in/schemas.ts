import * as z from "zod";
import { oneLine } from "../../one-line.ts";

/** What a browser's passkey functions take and answer, in the JSON form of the standard (WebAuthn, `toJSON`). */

const encoded = z.string().regex(/^[A-Za-z0-9_-]{1,20000}$/, "must be Base64url");
const extensions = z.looseObject({}).describe("As the browser answers it");
const attachment = z.enum(["cross-platform", "platform"]).exactOptional();
const common = {
  id: encoded,
  rawId: encoded,
  type: z.literal("public-key"),
  clientExtensionResults: extensions,
  authenticatorAttachment: attachment,
};

/** The answer of `navigator.credentials.create`. */
export const registrationResponse = z
  .object({
    ...common,
    response: z.object({
      clientDataJSON: encoded,
      attestationObject: encoded,
      transports: z.array(z.string().max(20)).max(10).exactOptional().describe("How browsers reach the authenticator"),
    }),
  })
  .describe("What `navigator.credentials.create` answered, as JSON");

/** The answer of `navigator.credentials.get`. */
export const signInResponse = z
  .object({
    ...common,
    response: z.object({ clientDataJSON: encoded, authenticatorData: encoded, signature: encoded, userHandle: encoded.exactOptional() }),
  })
  .describe("What `navigator.credentials.get` answered, as JSON");

/** Options for the browser, as the standard writes them. */
export const browserOptions = z.looseObject({ challenge: z.string() }).describe("Give it to the browser's passkey functions as it is");

/** The name of a passkey. */
export const passkeyLabel = oneLine(100).default("Passkey").describe("A name that tells your passkeys apart, such as the device's");
