import { partnersObjectCalls } from "../../objects/index.ts";
import type { PartnerCall } from "../define-call.ts";
import { chatCalls } from "./chat.ts";
import { emailCalls } from "./emails.ts";
import { operationCalls } from "./operations.ts";
import { sessionCalls } from "./session.ts";
import { openSessionCalls } from "./sessions.ts";

/** All calls of partners: those of the objects, and those that only partners have. */
export const partnerCalls: readonly PartnerCall[] = [
  ...partnersObjectCalls,
  ...chatCalls,
  ...emailCalls,
  ...openSessionCalls,
  ...sessionCalls,
  ...operationCalls,
];
