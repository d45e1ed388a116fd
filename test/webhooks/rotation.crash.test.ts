import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { call, REGISTER, ROTATE } from "../support/api.ts";
import { crashAt, effectsOf, failD1At } from "../support/crash.ts";
import { resetEffects } from "../support/observe.ts";
import { SANDBOX } from "../support/stack.ts";

/** A rotation whose object dies, or whose database fails, at each of its steps: the same token makes it once. */

beforeAll(() => call(REGISTER, { test_url: `${SANDBOX}/inbox/rotation-crash` }));
afterEach(resetEffects);

const rotate = (client_token: string) => call(ROTATE, { environment: "test", client_token });

/** How many secrets were made for the endpoint so far, counted by the ones that each rotation leaves behind. */
const secrets = async () =>
  (
    await env.CELL_1.prepare("SELECT id FROM endpoint_secrets WHERE endpoint_id = 'ep_acme_test' ORDER BY expires_at IS NOT NULL").all<{
      id: string;
    }>()
  ).results.map(({ id }) => id);

/** What the object does for a rotation: opens the record, and completes it with the secret. */
const STEPS = ["d1", "d1"];

it(`takes ${STEPS.length} steps`, async () => {
  expect(await effectsOf(() => rotate(crypto.randomUUID()))).toEqual(STEPS);
});

const slots = STEPS.flatMap((_, step) => [
  { step, moment: "before" as const },
  { step, moment: "after" as const },
]);

describe.each([1, 2])("cut off %i times", (times) => {
  // interface T.6
  it.each(slots)("$moment step $step, it is made once all the same", async ({ step, moment }) => {
    const [current] = await secrets();
    const client_token = crypto.randomUUID();
    const cut = crashAt(step, moment, times);
    let answer = await rotate(client_token);
    expect(cut.crashed()).toBe(true);
    resetEffects();
    if (!answer.body.success) answer = await rotate(client_token);
    expect(answer.body).toMatchObject({ success: true });
    // One rotation has the secret from before right behind it.
    expect((await secrets())[1]).toBe(current);
    expect((await rotate(client_token)).body).toMatchObject({ rotated: false, signing_secret: answer.body.signing_secret });
    expect(await secrets()).toHaveLength(2);
  });
});

describe.each(["refused", "answer lost"] as const)("with a round trip to D1 %s", (how) => {
  // interface E.7
  it.each(STEPS.map((_, step) => step))("at step %i, it is made once all the same", async (step) => {
    const [current] = await secrets();
    const client_token = crypto.randomUUID();
    const fault = failD1At(step, how);
    let answer = await rotate(client_token);
    expect(fault.failed()).toBe(true);
    resetEffects();
    if (!answer.body.success) {
      expect(answer.body.error_code).toBe("INTERNAL_ERROR");
      answer = await rotate(client_token);
    }
    expect(answer.body).toMatchObject({ success: true });
    expect((await secrets())[1]).toBe(current);
  });
});
