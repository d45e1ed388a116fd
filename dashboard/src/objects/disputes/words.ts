import { texts } from "../../texts/index.ts";

/** The customer's reason in words, and whether the bank only asks. A reason that is not known yet is shown as it is. */
export function disputeKind({ reason, is_inquiry }: { readonly reason: string; readonly is_inquiry: boolean }): string {
  const { reasons, inquiry } = texts.disputes;
  const words = reasons[reason] ?? reason.replaceAll("_", " ");
  return is_inquiry ? inquiry(words) : words;
}
