/** Secrets for local use: fixed, known to everybody, and refused by a deployed Worker. */
export const localSecrets = {
  PROCESSOR_KEY_LIVE: "sk_live_sandbox",
  PROCESSOR_KEY_TEST: "sk_test_sandbox",
  PROCESSOR_EVENT_SECRET_LIVE: "whsec_sandbox_live",
  PROCESSOR_EVENT_SECRET_TEST: "whsec_sandbox_test",
  OPS_TOKEN: "ops-local",
  SECRET_ENCRYPTION_KEYS: '{"current":"local","keys":{"local":"bG9jYWwtZGV2ZWxvcG1lbnQta2V5LTMyLWJ5dGVzISE="}}',
} as const;

/** The Worker's other settings for local use, where one address serves all of it. */
export function localVars(addresses: { readonly edge: string; readonly processor: string }) {
  return {
    DEPLOYMENT: "local",
    API_ORIGIN: addresses.edge,
    SHORT_LINK_ORIGIN: addresses.edge,
    PROCESSOR_API_BASE: addresses.processor,
  };
}
