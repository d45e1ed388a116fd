import type { Books } from "./books.ts";
import { auditDeliveries } from "./deliveries.ts";
import { auditLeftovers } from "./leftovers.ts";
import { auditLog } from "./log.ts";
import { auditObjects } from "./made-once.ts";
import { auditMoney } from "./money.ts";
import type { Violation } from "./violation.ts";
import type { World } from "./world.ts";

/**
 * Compares what the service has stored with what everybody else knows. It shares no code with the service: it has its own
 * SQL, its own signature, and its own idea of who owns what.
 */
export function audit(books: Books, world: World): Violation[] {
  return [auditObjects, auditMoney, auditDeliveries, auditLeftovers].flatMap((one) => one(books, world)).concat(auditLog(world));
}
