import { Anchor, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { paths } from "../api/schema.d.ts";
import { texts } from "../texts/index.ts";
import { ownLanguage } from "../texts/own-language.ts";

type Endpoint = paths["/partner/webhooks"]["get"]["responses"]["200"]["content"]["application/json"]["data"][number];

const { webhooks: words } = texts;

/** Why a webhook gets nothing, or not all, and where to look. */
export function EndpointTrouble({ endpoint }: { readonly endpoint: Endpoint }) {
  const { webhook, name, state, summary, undelivered } = endpoint;
  // What is tried again has the newest answers; what was given up has a notice of its own.
  const shown = state === "suspended" ? "suspended" : (undelivered?.pending ?? 0) > 0 || !undelivered?.exhausted ? "pending" : "exhausted";
  return (
    <Text size="sm" component="div">
      {summary[ownLanguage()]}{" "}
      <Anchor
        size="sm"
        underline="always"
        renderRoot={(props) => <Link to="/webhooks" search={{ ...(name === null ? {} : { webhook }), state: shown }} {...props} />}
      >
        {words.showThem}
      </Anchor>
    </Text>
  );
}
