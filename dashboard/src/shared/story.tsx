import { Alert, Group, Stack, Text, ThemeIcon, Timeline } from "@mantine/core";
import {
  AlertIcon,
  BellIcon,
  CodescanIcon,
  CreditCardIcon,
  type Icon,
  LinkIcon,
  OrganizationIcon,
  PaperAirplaneIcon,
  PencilIcon,
  SyncIcon,
} from "@primer/octicons-react";
import type { ReactNode } from "react";
import { texts } from "../texts/index.ts";
import { ownLanguage } from "../texts/own-language.ts";
import { MomentText } from "./moment.tsx";
import { withMoments } from "./moment-text.ts";
import { ObjectLink } from "./object-link.tsx";

/** An entry of a story, for either audience. */
export interface StoryEntry {
  readonly at: string;
  readonly kind: keyof typeof texts.story.kind;
  readonly id: string;
  readonly says: string;
  readonly objects: readonly string[];
  readonly wrong: string | null;
  readonly ru: { readonly says: string; readonly wrong: string | null } | null;
}

/** The entry in the language of the pages, with times as they show them; what only operators see is English. */
function inOwnLanguage<Entry extends StoryEntry>(entry: Entry): Entry {
  const { says, wrong } = ownLanguage() === "ru" && entry.ru !== null ? entry.ru : entry;
  return { ...entry, says: withMoments(says), wrong: wrong === null ? null : withMoments(wrong) };
}

const ICONS: Readonly<Record<StoryEntry["kind"], Icon>> = {
  request: PencilIcon,
  payment_link: LinkIcon,
  movement: CreditCardIcon,
  subscription: SyncIcon,
  bank_payment: OrganizationIcon,
  bank_notification: OrganizationIcon,
  processor_event: CreditCardIcon,
  look_up: CodescanIcon,
  event: BellIcon,
  delivery: PaperAirplaneIcon,
  partner: AlertIcon,
  act: PaperAirplaneIcon,
};

interface StoryProps<Entry> {
  readonly entries: readonly Entry[];
  /** What can be done about an entry. */
  readonly actionOf?: (entry: Entry) => ReactNode;
}

/** A request without a problem is folded into one line. Its time and its ids stand behind it. */
const isFolded = ({ kind, wrong }: StoryEntry): boolean => kind === "request" && wrong === null;

function Fold({ says, children }: { readonly says: string | null; readonly children: ReactNode }) {
  if (says === null) return children;
  return (
    <details>
      <summary>{says}</summary>
      {children}
    </details>
  );
}

/** The story of an order, oldest first. What is wrong stands out, and each object leads to its page. */
export function Story<Entry extends StoryEntry>({ entries, actionOf }: StoryProps<Entry>) {
  return (
    <Timeline bulletSize={28} lineWidth={2} active={entries.length}>
      {entries.map(inOwnLanguage).map((entry) => {
        const Icon = ICONS[entry.kind];
        const ids = [...new Set([entry.id, ...entry.objects])].filter((id) => id !== "");
        return (
          <Timeline.Item
            key={`${entry.at} ${entry.kind} ${entry.id} ${entry.says}`}
            bullet={
              <ThemeIcon size={28} radius="xl" variant="light" color={entry.wrong === null ? "accent" : "red"}>
                <Icon size={14} aria-hidden />
              </ThemeIcon>
            }
            title={
              isFolded(entry) ? undefined : (
                <Text size="sm" fw={500}>
                  {entry.says}
                </Text>
              )
            }
          >
            <Stack gap={4}>
              <Fold says={isFolded(entry) ? entry.says : null}>
                <Group gap="xs" fz="xs" c="dimmed">
                  <MomentText at={entry.at} hasSeconds />
                  <span>{texts.story.kind[entry.kind]}</span>
                  {ids.map((id) =>
                    // The id of a request's record looks like that of a ruble payment; only a checkout without a payment is an order, in its event.
                    entry.kind === "request" || (id.startsWith("cs_") && entry.kind !== "event") ? (
                      <span key={id} className="id">
                        {id}
                      </span>
                    ) : (
                      <ObjectLink key={id} id={id} />
                    ),
                  )}
                </Group>
              </Fold>
              {entry.wrong !== null && (
                <Alert color="red" p="xs" icon={<AlertIcon size={16} aria-hidden />}>
                  <Text size="sm">{entry.wrong}</Text>
                </Alert>
              )}
              {actionOf?.(entry)}
            </Stack>
          </Timeline.Item>
        );
      })}
    </Timeline>
  );
}
