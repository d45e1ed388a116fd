import type { Permission } from "../../partners/permissions.ts";
import type { Operation } from "../operation.ts";

/** What a tool needs of an operation. */
export type AgentOperation = Pick<
  Operation,
  "name" | "summary" | "description" | "hint" | "effect" | "generation" | "input" | "output" | "invoke"
> & {
  /** Null: any agent may call it. */
  readonly permission: Permission | null;
};
