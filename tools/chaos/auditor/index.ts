import type { Books } from "./books.ts";
import { auditDeliveries } from "./deliveries.ts";
import { auditLog } from "./log.ts";
import { auditBank, auditObjects } from "./made-once.ts";
import { auditMoney } from "./money.ts";
import { auditOrders } from "./orders.ts";
import { Owners } from "./owners.ts";
import { auditStatements } from "./statements.ts";
import { auditUnfinished } from "./unfinished.ts";
import type { Violation } from "./violation.ts";
import type { World } from "./world.ts";

/**
 * Compares the service's stored data with that of the processor, the bank and the partners. It shares no code with the
 * service: it has its own SQL, its own signature check, and its own attribution.
 */
export function audit(books: Books, world: World): Violation[] {
  const owners = new Owners(world);
  return [
    ...auditObjects(books, world, owners),
    ...auditBank(books, world),
    ...auditMoney(books, world, owners),
    ...auditOrders(books, world, owners),
    ...auditDeliveries(books, world, owners),
    ...auditUnfinished(books, world),
    ...auditLog(world),
  ];
}

/** The audit of the statements, once all months of the run are closed. */
export function auditClosedMonths(books: Books, world: World): Violation[] {
  return auditStatements(books, world, new Owners(world));
}
