/** `Strict-Transport-Security` of a deployed service: half a year. */
export const STRICT_TRANSPORT = "max-age=15552000; includeSubDomains";
