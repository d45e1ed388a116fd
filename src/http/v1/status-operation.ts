import type { Hono } from "hono";
import type { z } from "zod";
import type { ServiceError } from "../../core/errors.ts";
import type { Permission } from "../../partners/permissions.ts";
import type { KeyPlace } from "../authenticate.ts";
import type { AppEnv } from "../context.ts";

/**
 * An operation of the first generation that answers with real HTTP statuses. There are two, each with a wire of its
 * own, so what they share is only what can be said of them.
 */
export interface StatusOperation {
  readonly name: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly deprecated: boolean;
  readonly permission: Permission | null;
  readonly key: KeyPlace;
  readonly query?: z.ZodObject<Readonly<Record<string, z.ZodType>>>;
  readonly bodyType: "application/json" | "application/x-www-form-urlencoded";
  readonly input: z.ZodObject;
  /** The whole body of a success. */
  readonly output: z.ZodObject;
  readonly failures: readonly ServiceError["kind"][];
  /** Without the key. */
  readonly example: {
    readonly query?: Readonly<Record<string, string>>;
    readonly request: Readonly<Record<string, unknown>>;
    readonly response: object;
  };
  readonly routes: Hono<AppEnv>;
}
