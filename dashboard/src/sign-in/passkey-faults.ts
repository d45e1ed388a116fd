/** Why a passkey could not be used, or made. Each has its words. */
export type PasskeyFault = "cancelled" | "device" | "known" | "site" | "unknown" | "unsupported";

/** By the name of the browser's error, as the standard has it. */
const FAULTS: Readonly<Record<string, PasskeyFault>> = {
  // A person cancelled, took too long, or has no passkey: browsers do not say which.
  NotAllowedError: "cancelled",
  AbortError: "cancelled",
  InvalidStateError: "known",
  SecurityError: "site",
  NotSupportedError: "device",
  ConstraintError: "device",
};

/** Why a browser refused. `hasPasskeys`: whether it knows passkeys at all; the browsers within apps often do not. */
export function passkeyFault(name: string, hasPasskeys: boolean): PasskeyFault {
  return hasPasskeys ? (FAULTS[name] ?? "unknown") : "unsupported";
}
