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

const LOOKS: Readonly<Record<string, Look>> = {
  completed: GOOD,
  paid: GOOD,
  active: GOOD,
  open: GOOD,
  succeeded: GOOD,
  created: GOOD,
  approved: GOOD,
  done: GOOD,
  CONFIRMED: GOOD,
  trialing: GOOD,
  dispute_won: GOOD,
  recorded: GOOD,
  pending: WAITING,
  current: WAITING,
  waiting: WAITING,
  sending: WAITING,
  in_review: WAITING,
  NEW: WAITING,
  invited: WAITING,
  failed: BAD,
  exhausted: BAD,
  refused: BAD,
  rejected: BAD,
  REJECTED: BAD,
  past_due: WARNING,
  unpaid: WARNING,
  disputed: WARNING,
  needs_response: WARNING,
  won: GOOD,
  lost: BAD,
  under_review: WAITING,
  suspended: WARNING,
  failing: WARNING,
  ending: WARNING,
  partly_refunded: ["gray", UndoIcon],
  refunded: ["gray", UndoIcon],
  reversed: ["gray", UndoIcon],
  REFUNDED: ["gray", UndoIcon],
  PARTIAL_REFUNDED: ["gray", UndoIcon],
  canceled: ["gray", CircleSlashIcon],
  CANCELED: ["gray", CircleSlashIcon],
  disabled: ["gray", CircleSlashIcon],
  closed: ["gray", CircleSlashIcon],
  revoked: ["gray", CircleSlashIcon],
};

/** A status of the Worker, the processor or the bank. One that is not known yet is shown as it is. */
export function Status({ status }: { readonly status: string }) {
  const [color, Icon] = LOOKS[status] ?? QUIET;
  return (
    <Tag color={color} icon={<Icon size={12} aria-hidden />}>
      {texts.status[status] ?? status.replaceAll("_", " ").toLowerCase()}
    </Tag>
  );
}
