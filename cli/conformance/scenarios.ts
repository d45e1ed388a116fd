/**
 * The suite's scenarios that concern a server with tools and nothing else, by the protocol's revision. The others ask
 * for prompts, resources, sampling and so on, or for tools of the suite's own fixture.
 */
export const SCENARIOS: Readonly<Record<string, readonly string[]>> = {
  "2026-07-28": [
    "server-stateless",
    "tools-list",
    "caching",
    "http-header-validation",
    "dns-rebinding-protection",
    "server-sse-multiple-streams",
  ],
  "2025-11-25": ["server-initialize", "ping", "tools-list", "dns-rebinding-protection"],
};
