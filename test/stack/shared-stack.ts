import { beforeAll, inject } from "vitest";
import * as z from "zod";
import type { Stack } from "../../tools/local/stack.ts";

const addressesSchema = z.object({ edge: z.url(), sandbox: z.url() });

/**
 * The stack that the files of this project share. Files run at the same time and in any order: a file uses a partner of its
 * own, or reads. Only `clients.test.ts` changes the receiver of acme, and nobody makes the sandbox fail.
 */
export function sharedStack(): Pick<Stack, "edge" | "sandbox"> {
  let addresses: z.infer<typeof addressesSchema> | undefined;
  const started = () => {
    if (addresses === undefined) throw new Error("the stack is not up yet");
    return addresses;
  };
  beforeAll(async () => {
    const response = await fetch(inject("sharedStack"));
    const text = await response.text();
    if (!response.ok) throw new Error(`the shared stack did not start: ${text}`);
    addresses = addressesSchema.parse(JSON.parse(text));
  });
  return {
    get edge() {
      return started().edge;
    },
    get sandbox() {
      return started().sandbox;
    },
  };
}
