import { Group, List, Progress, Text, ThemeIcon } from "@mantine/core";
import { CheckIcon, IssueDraftIcon } from "@primer/octicons-react";
import { api } from "../api/client.ts";
import { Card, Note } from "../shared/page.tsx";
import { PageLink } from "../shared/page-link.tsx";
import { useMay } from "../shell/session.ts";
import { texts } from "../texts/index.ts";

const { checklist: words } = texts;

/** The first steps of a new partner, ticked off by what there is. It goes away with the first live payment. */
export function Checklist() {
  const mayAll = [useMay("webhook_config"), useMay("product_create"), useMay("products_view"), useMay("balance_view")].every(Boolean);
  return mayAll ? <Steps /> : null;
}

const has = (answer: { readonly data: readonly unknown[] } | undefined) => (answer?.data.length ?? 0) > 0;

function Steps() {
  const products = api.useQuery("get", "/partner/products", { params: { query: { environment: "test", limit: 1 } } });
  const webhooks = api.useQuery("get", "/partner/webhooks");
  const links = api.useQuery("get", "/partner/links", { params: { query: { environment: "test", limit: 1 } } });
  const events = api.useQuery("get", "/partner/deliveries", { params: { query: { environment: "test", state: "succeeded", limit: 1 } } });
  const live = api.useQuery("get", "/partner/orders", { params: { query: { environment: "live", limit: 1 } } });
  // Also one that was refunded since: something was charged.
  const isLive = live.data?.sums?.some(({ charged }) => charged > 0) ?? has(live.data);
  const answers = [products.data, webhooks.data, links.data, events.data, live.data];
  if (answers.some((answer) => answer === undefined)) return null;
  const isRegistered = (environment: "live" | "test") => webhooks.data?.data.some((one) => one.environment === environment) ?? false;
  const steps = [
    { ...words.product, to: "/products/new?env=test", isDone: has(products.data) },
    { ...words.webhook, to: "/webhooks?env=test", isDone: isRegistered("test") },
    { ...words.link, to: "/links/new?env=test", isDone: has(links.data) },
    { ...words.event, to: "/webhooks?env=test", isDone: has(events.data) },
    { ...words.liveWebhook, to: "/webhooks?env=live", isDone: isRegistered("live") },
    { ...words.live, to: "/orders?env=live", isDone: isLive },
  ];
  const done = steps.filter(({ isDone }) => isDone).length;
  if (isLive) return null;
  return (
    <Card title={words.title}>
      <Group gap="sm">
        <Progress value={(done / steps.length) * 100} w={160} aria-label={words.progress(done, steps.length)} />
        <Note>{words.progress(done, steps.length)}</Note>
      </Group>
      <List spacing="sm" center listStyleType="none">
        {steps.map(({ title, why, to, isDone }) => (
          <List.Item
            key={title}
            icon={
              <ThemeIcon size={24} radius="xl" color={isDone ? "green" : "gray"} variant="light">
                {isDone ? <CheckIcon size={14} aria-label={words.done} /> : <IssueDraftIcon size={14} aria-label={words.open} />}
              </ThemeIcon>
            }
          >
            <Text size="sm" fw={500} component="div">
              {isDone ? (
                title
              ) : (
                <PageLink to={to} size={undefined}>
                  {title}
                </PageLink>
              )}
            </Text>
            <Note size="xs">{why}</Note>
          </List.Item>
        ))}
      </List>
    </Card>
  );
}
