import {
  CheckCircleIcon,
  CircleSlashIcon,
  ClockIcon,
  type Icon,
  IssueDraftIcon,
  ShieldXIcon,
  UndoIcon,
  XCircleIcon,
} from "@primer/octicons-react";
import { texts } from "../texts/index.ts";
import { Tag, type TagColor } from "./tag.tsx";

/** How a status looks: a colour and a sign, since colour alone tells some people nothing. */
type Look = readonly [color: TagColor, icon: Icon];

const GOOD: Look = ["green", CheckCircleIcon];
const BAD: Look = ["red", XCircleIcon];
const WAITING: Look = ["blue", ClockIcon];
const WARNING: Look = ["orange", ShieldXIcon];
const QUIET: Look = ["gray", IssueDraftIcon];

const UNDONE: Look = ["gray", UndoIcon];
const OVER: Look = ["gray", CircleSlashIcon];

const LOOKS = new Map(
  (
    [
      [GOOD, "completed paid active open succeeded created approved done CONFIRMED trialing dispute_won recorded won"],
      [WAITING, "pending current waiting sending in_review NEW invited under_review"],
      [BAD, "failed exhausted refused rejected REJECTED lost"],
      [WARNING, "past_due unpaid disputed needs_response suspended failing ending"],
      [UNDONE, "partly_refunded refunded reversed REFUNDED PARTIAL_REFUNDED"],
      [OVER, "canceled CANCELED disabled closed revoked"],
    ] as const
  ).flatMap(([look, statuses]) => statuses.split(" ").map((status): [string, Look] => [status, look])),
);

/** A status of the Worker, the processor or the bank. One that is not known yet is shown as it is. */
export function Status({ status }: { readonly status: string }) {
  const [color, Icon] = LOOKS.get(status) ?? QUIET;
  return (
    <Tag color={color} icon={<Icon size={12} aria-hidden />}>
      {texts.status[status] ?? status.replaceAll("_", " ").toLowerCase()}
    </Tag>
  );
}
