/** The sandbox's bank terminals, in the format of the Worker's secret; products refer to `first` and `second`. */
const terminal = (terminal_key: string, taxation: string) => ({ terminal_key, password: `sandbox-password-${terminal_key}`, taxation });
export const bankTerminals = {
  live: { first: terminal("SandboxFirst", "usn_income"), second: terminal("SandboxSecond", "osn") },
  test: { first: terminal("SandboxFirstDEMO", "usn_income"), second: terminal("SandboxSecondDEMO", "osn") },
};

/** Secrets for local use: fixed, public, and refused by a deployed Worker. */
export const localSecrets = {
  PROCESSOR_KEY_LIVE: "sk_live_sandbox",
  PROCESSOR_KEY_TEST: "sk_test_sandbox",
  PROCESSOR_EVENT_SECRET_LIVE: "whsec_sandbox_live",
  PROCESSOR_EVENT_SECRET_TEST: "whsec_sandbox_test",
  BANK_TERMINALS: JSON.stringify(bankTerminals),
  OPS_TOKEN: "ops-local",
  SECRET_ENCRYPTION_KEYS: '{"current":"local","keys":{"local":"bG9jYWwtZGV2ZWxvcG1lbnQta2V5LTMyLWJ5dGVzISE="}}',
} as const;

/** The Worker's other settings for local use, where one origin serves everything. */
export function localVars(addresses: { readonly edge: string; readonly processor: string; readonly bank: string }) {
  return {
    DEPLOYMENT: "local",
    API_ORIGIN: addresses.edge,
    SHORT_LINK_ORIGIN: addresses.edge,
    PROCESSOR_API_BASE: addresses.processor,
    BANK_API_BASE: addresses.bank,
  };
}

/** The key of a local stack with all permissions: acme's, for trying out the examples. */
export const LOCAL_KEY = "a0000000-0000-4000-8000-000000000001";
