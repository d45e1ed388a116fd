import { Alert, Stack } from "@mantine/core";
import { AlertIcon, KeyIcon } from "@primer/octicons-react";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { allRows } from "../api/all-rows.ts";
import { api, client } from "../api/client.ts";
import type { paths } from "../api/schema.d.ts";
import { Failure } from "../shared/failure.tsx";
import { MomentText } from "../shared/moment.tsx";
import { PageLink } from "../shared/page-link.tsx";
import { useProducts } from "../shared/products.ts";
import { useEnvironment } from "../shell/environment.ts";
import { useMay, useSession } from "../shell/session.ts";
import { texts } from "../texts/index.ts";
import { EndpointTrouble } from "../webhooks/endpoint-trouble.tsx";

const { attention: words } = texts;

type Endpoint = paths["/partner/webhooks"]["get"]["responses"]["200"]["content"]["application/json"]["data"][number];

/** What a person should do something about. Nothing, if there is nothing. */
export function Attention() {
  const mayWebhooks = useMay("webhook_config");
  const mayProducts = useMay("products_view");
  const mayBalance = useMay("balance_view");
  return (
    <Stack gap="sm">
      {mayWebhooks && <WebhooksAttention />}
      {mayWebhooks && <ChatAttention />}
      {mayBalance && <DisputesAttention />}
      {mayProducts && <ConfirmationsAttention />}
      {mayProducts && <ProductAttention />}
    </Stack>
  );
}

function WebhooksAttention() {
  const { environment } = useEnvironment();
  const { data, error, refetch } = api.useQuery("get", "/partner/webhooks");
  if (data === undefined) return error === null ? null : <Failure thrown={error} retry={() => void refetch()} />;
  // What the partner unregistered is its own will.
  const own = data.data.filter((one) => one.environment === environment && one.suspension_reason !== "unregistered");
  return own.map((endpoint) => <WebhookAttention key={endpoint.webhook} endpoint={endpoint} />);
}

/** A chat that takes no messages. */
function ChatAttention() {
  const { data } = api.useQuery("get", "/partner/chat", {}, { retry: false });
  if (data === undefined || data.state === "active") return null;
  return (
    <Notice color="orange" to="/webhooks?tab=chat" title={words.chatFails} action={texts.chat.tab}>
      {texts.chat.fails}
    </Notice>
  );
}

/** Disputes that wait for evidence, with the one that waits for the shortest time. */
function DisputesAttention() {
  const { environment } = useEnvironment();
  const { data, error, refetch } = api.useQuery("get", "/partner/disputes", {
    params: { query: { environment, state: "needs_response", sort: "evidence_due_by", limit: 1 } },
  });
  if (data === undefined) return error === null ? null : <Failure thrown={error} retry={() => void refetch()} />;
  const first = data.data[0]?.evidence_due_by ?? null;
  if (first === null) return null;
  return (
    <Notice
      to="/orders?tab=disputes&state=needs_response"
      title={typeof data.count === "number" ? words.disputes(data.count) : texts.list.most}
      action={words.toDeliveries}
    >
      {words.disputesWhat} <MomentText at={first} />.
    </Notice>
  );
}

function WebhookAttention({ endpoint }: { readonly endpoint: Endpoint }) {
  const { exhausted = 0 } = endpoint.undelivered ?? {};
  const named = endpoint.name === null ? "" : `${endpoint.name}: `;
  return (
    <>
      {endpoint.state !== "active" && (
        <Alert
          color={endpoint.state === "suspended" ? "red" : "orange"}
          icon={<AlertIcon size={18} aria-hidden />}
          title={named + (endpoint.state === "suspended" ? words.suspended : words.failing)}
        >
          <EndpointTrouble endpoint={endpoint} />
        </Alert>
      )}
      {exhausted > 0 && (
        <Notice
          to={`/webhooks?webhook=${endpoint.webhook}&state=exhausted`}
          title={named + words.exhausted(exhausted)}
          action={words.toDeliveries}
        >
          {words.exhaustedWhat}
        </Notice>
      )}
      {endpoint.previous_secret_until !== null && (
        <Alert color="accent" icon={<KeyIcon size={18} aria-hidden />} title={named + words.grace}>
          {words.graceWhat} <MomentText at={endpoint.previous_secret_until} />.
        </Alert>
      )}
    </>
  );
}

function ProductAttention() {
  const { environment } = useEnvironment();
  const { products } = useProducts();
  const rejected = products.filter((one) => one.moderation === "rejected" && (one.environment ?? environment) === environment);
  const [first] = rejected;
  if (first === undefined) return null;
  if (rejected.length > 1)
    return (
      <Notice
        color="orange"
        to="/products?moderation=rejected"
        title={words.rejectedSeveral(rejected.length)}
        action={texts.products.title}
      >
        {words.rejectedWhat}
      </Notice>
    );
  return (
    <Notice color="orange" to={`/products/${first.product_id}`} title={words.rejected(first.name)} action={texts.common.product}>
      {first.rejection_reason ?? words.noReason}
    </Notice>
  );
}

/** Requests of agents that wait for a person, who has a day for each. */
function ConfirmationsAttention() {
  const { data } = useQuery({
    queryKey: ["confirmations that wait"],
    queryFn: () => allRows((at) => client.GET("/partner/confirmations", { params: { query: { state: "pending", limit: 100, ...at } } })),
  });
  const { permissions } = useSession();
  const mayDecide = (permission: string) => permissions.some((one) => one === permission);
  const waiting = (data ?? []).filter(({ permission }) => mayDecide(permission));
  const [first] = waiting.map(({ expires_at }) => expires_at).toSorted();
  if (first === undefined) return null;
  return (
    <Notice color="orange" to="/developers?tab=confirmations" title={words.confirmations(waiting.length)} action={words.decide}>
      {words.confirmationsWhat} <MomentText at={first} />.
    </Notice>
  );
}

interface NoticeProps {
  readonly color?: "orange" | "red";
  readonly to: string;
  readonly title: string;
  readonly action: string;
  readonly children: ReactNode;
}

function Notice({ color = "red", to, title, action, children }: NoticeProps) {
  return (
    <Alert color={color} icon={<AlertIcon size={18} aria-hidden />} title={title}>
      {children}{" "}
      <PageLink to={to} underline="always">
        {action}
      </PageLink>
    </Alert>
  );
}
