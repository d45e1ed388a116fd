import type { OperationError } from "../core/errors.ts";

/** The header that carries a partner's key. */
export const KEY_HEADER = "X-Partner-Api-Key";

type Kind<Name extends OperationError["kind"]> = Extract<OperationError, { kind: Name }>;

/** The message for a missing key: where it belongs. The same in both generations. */
export function missingKey({ location, isBearer, isElsewhere }: Kind<"key_missing">): string {
  const [place, other] =
    location === "body"
      ? ["field api_key of the body", `the header ${KEY_HEADER} is not read by this operation`]
      : [`header ${KEY_HEADER}`, "api_key in the body is not read by this operation"];
  const found = isBearer ? "Authorization: Bearer is not read" : isElsewhere ? other : null;
  return `No API key was sent${found === null ? "" : `: ${found}`}. Send it in the ${place}.`;
}

/** The message for an invalid key, with what its text shows. */
export function invalidKey({ around }: Kind<"key_invalid">): string {
  if (around !== undefined) return `The API key is not valid: send it without ${around}.`;
  return "The API key is not valid, or its partner account or employee is disabled.";
}

/** The message for a missing permission, by who lacks it. The same in both generations. */
export function missingPermission({ holder, permission }: Kind<"permission_missing">): string {
  switch (holder) {
    case "key":
      return `The API key lacks the permission ${permission}.`;
    case "agent":
      return `This agent was not given the permission ${permission}.`;
    case "person":
      return `You do not have the permission ${permission}. An owner of your account can give it to you.`;
  }
}
