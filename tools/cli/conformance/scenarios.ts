interface Scenarios {
  readonly run: readonly string[];
  /** The suite's other scenarios, keyed by the reason why they do not apply to this server. */
  readonly leftOut: Readonly<Record<string, readonly string[]>>;
}

const CALLS = ["simple-text", "image", "audio", "embedded-resource", "mixed-content", "error", "with-progress"];
const FIXTURE_TOOLS = CALLS.map((what) => `tools-call-${what}`);
const RESOURCES = ["read-text", "read-binary", "templates-read"].map((what) => `resources-${what}`);
const PROMPTS = ["get-simple", "get-with-args", "get-embedded-resource", "get-with-image"].map((what) => `prompts-${what}`);
const INPUTS = [
  "basic-elicitation",
  "basic-sampling",
  "basic-list-roots",
  "request-state",
  "multiple-input-requests",
  "multi-round",
  "missing-input-response",
  "non-tool-request",
  "result-type",
  "tampered-state",
  "capability-check",
  "ignore-extra-params",
  "validate-input",
].map((what) => `input-required-result-${what}`);

/**
 * The server scenarios that each revision requires. `check:mcp` runs those that apply to us and checks that all others
 * are listed here too, so that a new scenario of a newer suite is not missed.
 */
export const SCENARIOS: Readonly<Record<string, Scenarios>> = {
  "2026-07-28": {
    run: [
      "server-stateless",
      "tools-list",
      "resources-list",
      "prompts-list",
      "caching",
      "dns-rebinding-protection",
      "server-sse-multiple-streams",
      "input-required-result-unsupported-methods",
      // Passes, but the suite does not score it yet.
      "http-header-validation",
    ],
    leftOut: {
      "asks for tools of the suite's own fixture": FIXTURE_TOOLS,
      "asks for resources of the suite's own fixture": [...RESOURCES, "sep-2164-resource-not-found"],
      "asks for prompts of the suite's own fixture": [...PROMPTS, "completion-complete"],
      "asks for tools that ask their caller back": INPUTS,
    },
  },
  "2025-11-25": {
    run: [
      "server-initialize",
      "ping",
      "tools-list",
      "resources-list",
      "prompts-list",
      "dns-rebinding-protection",
      "server-session-lifecycle",
    ],
    leftOut: {
      "asks for tools of the suite's own fixture": [...FIXTURE_TOOLS, "tools-call-with-logging"],
      "asks for resources of the suite's own fixture": [...RESOURCES, "resources-subscribe", "resources-unsubscribe"],
      "asks for prompts of the suite's own fixture": [...PROMPTS, "completion-complete"],
      "asks for tools that ask their caller back": [
        "tools-call-sampling",
        "tools-call-elicitation",
        "elicitation-sep1034-defaults",
        "elicitation-sep1330-enums",
      ],
      "asks for a session, and there are none": ["server-sse-multiple-streams"],
      "asks for a log that can be turned up": ["logging-set-level"],
    },
  },
};
