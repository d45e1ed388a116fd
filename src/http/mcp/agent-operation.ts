import type { Permission } from "../../partners/permissions.ts";
import type { Operation } from "../operation.ts";

/** What a tool needs of an operation. */
export type AgentOperation = Pick<
  Operation,
  "name" | "title" | "description" | "hint" | "effect" | "generation" | "input" | "output" | "invoke"
> & {
  /** Null: any agent may call it. */
  readonly permission: Permission | null;
  /** Whether it takes the argument that asks for a dry run. */
  readonly hasDryRun?: boolean;
  /** The argument with the idempotency key; absent if there is none. */
  readonly keyField?: string | null;
};
