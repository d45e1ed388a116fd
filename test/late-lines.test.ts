import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";

/** The end of a file once waited for such a line for ever: see support/kept-log.ts. */
it("lines that objects still write when the last test ends hold up no run", async () => {
  let written = 0;
  for (let number = 0; number < 20; number += 1) {
    const object = env.OPERATIONS.get(env.OPERATIONS.idFromName(`late-${number}`));
    const lines = runInDurableObject(object, async () => {
      for (let count = 0; count < 1_000; count += 1) {
        await scheduler.wait(2);
        console.log("late");
        written += 1;
      }
    });
    // The next file ends the objects.
    lines.catch(() => undefined);
  }
  await expect.poll(() => written).toBeGreaterThan(100);
});
