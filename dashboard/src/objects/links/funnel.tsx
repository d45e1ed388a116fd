import { Group, Progress, Stack, Text } from "@mantine/core";
import { audience } from "../../api/audience.ts";
import { dayText } from "../../shared/day-text.ts";
import { Card, Note } from "../../shared/page.tsx";
import { texts } from "../../texts/index.ts";
import { ownLocale } from "../../texts/own-language.ts";
import { type FunnelStep, funnelSteps } from "./funnel-steps.ts";

const { links: words } = texts;

/** How many customers opened a link in the last days, began to pay, and paid. It comes by itself: the processor is asked for it. */
export function FunnelCard({ link }: { readonly link: string }) {
  const { data } = audience().api.useQuery("get", "/partner/links/{link}/funnel", { params: { path: { link } } });
  if (data === undefined) return null;
  return (
    <Card title={words.funnel}>
      <Stack gap="sm">
        {funnelSteps(data).map((step) => (
          <Step key={step.name} step={step} />
        ))}
        <Note size="xs">{words.funnelWhat(dayText(data.from), dayText(data.to))}</Note>
      </Stack>
    </Card>
  );
}

function Step({ step: { name, count, isMore, share } }: { readonly step: FunnelStep }) {
  const label = words.steps[name];
  return (
    <div>
      <Group justify="space-between" gap="xs">
        <Text size="sm">{label}</Text>
        <Text size="sm" fw={600}>
          {count === null ? words.notKnown : `${count.toLocaleString(ownLocale())}${isMore ? "+" : ""}`}
        </Text>
      </Group>
      <Progress value={share} aria-label={label} />
    </div>
  );
}
