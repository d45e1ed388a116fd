import { Anchor, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { paths } from "../api/schema.d.ts";
import { MomentText } from "../shared/moment.tsx";
import { texts } from "../texts/index.ts";

type Endpoint = paths["/partner/webhooks"]["get"]["responses"]["200"]["content"]["application/json"]["data"][number];

const { webhooks: words } = texts;

/** Why a webhook gets nothing, or not all, and where to look. */
export function EndpointTrouble({ endpoint }: { readonly endpoint: Endpoint }) {
  const { webhook, name, failing_since, suspended_at, suspension_reason, state } = endpoint;
  const since = state === "suspended" ? suspended_at : failing_since;
  return (
    <Text size="sm" component="div">
      {state === "suspended" ? words.suspendedBecause(suspension_reason ?? "") : words.failing}{" "}
      {since !== null && (
        <>
          {words.sinceThen} <MomentText at={since} />.{" "}
        </>
      )}
      <Anchor
        size="sm"
        underline="always"
        renderRoot={(props) => (
          <Link
            to="/webhooks"
            search={{ ...(name === null ? {} : { webhook }), state: state === "suspended" ? "suspended" : "pending" }}
            {...props}
          />
        )}
      >
        {words.showThem}
      </Anchor>
    </Text>
  );
}
