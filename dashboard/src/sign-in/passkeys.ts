import { browserSupportsWebAuthn, startAuthentication, startRegistration } from "@simplewebauthn/browser";
import { client } from "../api/client.ts";
import { texts } from "../texts/index.ts";
import { passkeyFault } from "./passkey-faults.ts";

type AuthenticationOptions = Parameters<typeof startAuthentication>[0]["optionsJSON"];
type RegistrationOptions = Parameters<typeof startRegistration>[0]["optionsJSON"];

/** Signs in with a passkey of this browser: the Worker sets the session's cookie. @throws Error with words for a person. */
export async function signInWithPasskey(): Promise<void> {
  const { data } = await client.POST("/partner/sign-in/challenge");
  await client.POST("/partner/sign-in", { body: { response: await answerOf(data?.options) } });
}

/** Has the signed-in person use a passkey again, for a change that needs it. @throws Error with words for a person. */
export async function askForPasskey(): Promise<void> {
  const { data } = await client.POST("/partner/session/verification/challenge");
  await client.POST("/partner/session/verification", { body: { response: await answerOf(data?.options) } });
}

/** The browser's answer to a challenge, for options that the Worker gave. */
async function answerOf(options: unknown) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the Worker answers what the standard defines
  const response = await asked(startAuthentication({ optionsJSON: options as AuthenticationOptions }));
  return { ...response, clientExtensionResults: { ...response.clientExtensionResults } };
}

/** Makes a passkey on this device, for options that the Worker gave. */
export async function makePasskey(options: unknown) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the Worker answers what the standard defines
  const response = await asked(startRegistration({ optionsJSON: options as RegistrationOptions }));
  const { clientDataJSON, attestationObject, transports } = response.response;
  return {
    id: response.id,
    rawId: response.rawId,
    type: response.type,
    ...(response.authenticatorAttachment === undefined ? {} : { authenticatorAttachment: response.authenticatorAttachment }),
    clientExtensionResults: { ...response.clientExtensionResults },
    response: { clientDataJSON, attestationObject, ...(transports === undefined ? {} : { transports }) },
  };
}

/** The browser's answer. @throws Error with words for a person */
async function asked<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (thrown) {
    const name = thrown instanceof Error ? thrown.name : "";
    throw new Error(texts.signIn.faults[passkeyFault(name, browserSupportsWebAuthn())], { cause: thrown });
  }
}

/** A name for a passkey that tells a person's devices apart. */
export function deviceName(): string {
  const { userAgent } = navigator;
  const system = [
    [/iPhone/, "iPhone"],
    [/iPad/, "iPad"],
    [/Android/, "Android"],
    [/Mac OS X/, "Mac"],
    [/Windows/, "Windows"],
    [/Linux/, "Linux"],
  ] as const;
  return system.find(([pattern]) => pattern.test(userAgent))?.[1] ?? texts.account.passkey;
}
