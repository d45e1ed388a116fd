import { operatorsObjectCalls } from "../../objects/index.ts";
import type { OpsCall } from "../define-call.ts";
import { booksCalls } from "./books.ts";
import { cellCalls } from "./cells.ts";
import { eraseCalls } from "./erase.ts";
import { healthCalls } from "./health.ts";
import { importCalls } from "./imports.ts";
import { ledgerCalls } from "./ledger.ts";
import { monthCalls } from "./months.ts";
import { moveCalls } from "./moves.ts";
import { noteCalls } from "./notes.ts";
import { operatorCalls } from "./operators.ts";
import { partnerCalls } from "./partners.ts";
import { platformCalls } from "./platform.ts";
import { recoveryCalls } from "./recovery.ts";
import { refusedKeysCall } from "./refused-keys.ts";
import { shortLinkCalls } from "./short-links.ts";
import { viewCalls } from "./view.ts";

/** All operators' calls: those of the objects, and those that only operators have, from daily work to one-time setup. */
export const opsCalls: readonly OpsCall[] = [
  ...operatorsObjectCalls,
  ...noteCalls,
  ...partnerCalls,
  refusedKeysCall,
  ...viewCalls,
  ...importCalls,
  ...shortLinkCalls,
  ...ledgerCalls,
  ...healthCalls,
  ...booksCalls,
  ...monthCalls,
  ...platformCalls,
  ...cellCalls,
  ...moveCalls,
  ...recoveryCalls,
  ...eraseCalls,
  ...operatorCalls,
];
