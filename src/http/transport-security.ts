/** `Strict-Transport-Security` where deployed: half a year. */
export const STRICT_TRANSPORT = "max-age=15552000; includeSubDomains";
