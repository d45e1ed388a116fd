import { describe, expect, it } from "vitest";
import { invitationTokenIn, mendedAddress } from "../../dashboard/src/sign-in/invitation-address.ts";
import { passkeyFault } from "../../dashboard/src/sign-in/passkey-faults.ts";

const token = "0123456789abcdef".repeat(4);
const at = (pathname: string, hash = "") => ({ pathname: `/dashboard/${pathname}`, hash });

describe("the token of an invitation", () => {
  it.each([
    ["as it was sent", at("invitation", `#${token}`), token],
    ["with a full stop behind it", at("invitation", `#${token}.`), token],
    ["in brackets", at("invitation", `#(${token})`), token],
    ["with > behind it", at("invitation", `#${token}>`), token],
    ["with its sign encoded", at(`invitation%23${token}`), token],
    ["with its sign encoded, and a full stop", at(`invitation%23${token}.`), token],
    ["cut off", at("invitation", `#${token.slice(1)}`), ""],
    ["too long", at("invitation", `#${token}0`), ""],
    ["missing", at("invitation"), ""],
  ])("%s", (_what, address, wanted) => expect(invitationTokenIn(address)).toBe(wanted));
});

it.each([
  [at("invitation", `#${token}`), null],
  [at("invitation", `#${token}.`), null],
  [at(`invitation%23${token}`), `/dashboard/invitation#${token}`],
  [at(`invitation%23${token})`), `/dashboard/invitation#${token}`],
  [at("invitation%23cut"), "/dashboard/invitation#"],
  [at("links/x"), null],
  [{ pathname: "/dashboard", hash: "" }, null],
])("%o is opened as %s", (address, wanted) => expect(mendedAddress(address)).toBe(wanted));

it.each([
  ["NotAllowedError", "cancelled"],
  ["AbortError", "cancelled"],
  ["InvalidStateError", "known"],
  ["SecurityError", "site"],
  ["NotSupportedError", "device"],
  ["ConstraintError", "device"],
  ["UnknownError", "unknown"],
  ["", "unknown"],
])("a browser's %s is told as %s, and as a browser without passkeys where it has none", (name, fault) => {
  expect(passkeyFault(name, true)).toBe(fault);
  expect(passkeyFault(name, false)).toBe("unsupported");
});
