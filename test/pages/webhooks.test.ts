import { describe, expect, it } from "vitest";
import { eventKinds } from "../../dashboard/src/objects/events/event-kinds.ts";
import { bodyOf, changesOf, type Terms } from "../../dashboard/src/webhooks/terms.ts";

const [FIRST, SECOND] = ["Processor.payment.succeeded", "Processor.refund.succeeded"] as const;
const terms: Terms = { name: "Books", webhook_url: "https://books.example/hook", kinds: [FIRST, SECOND] };

it("the kinds of events to choose from are those of the call that sends an example", () =>
  expect(eventKinds).toEqual(expect.arrayContaining([FIRST, SECOND])));

describe("a webhook that is added", () => {
  it("gets the kinds that were chosen, and all where none was", () => {
    expect(bodyOf(terms)).toEqual({ name: "Books", webhook_url: "https://books.example/hook", events: [FIRST, SECOND] });
    expect(bodyOf({ ...terms, kinds: [] }).events).toBeNull();
  });
});

describe("a change of a webhook", () => {
  it.each<[Partial<Terms>, object]>([
    [{}, {}],
    [{ name: "Accounts" }, { name: "Accounts" }],
    [{ webhook_url: "https://other.example/hook" }, { webhook_url: "https://other.example/hook" }],
    [{ kinds: [SECOND, FIRST] }, {}],
    [{ kinds: [FIRST] }, { events: [FIRST] }],
    [{ kinds: [FIRST, SECOND, "Processor.dispute.opened"] }, { events: [FIRST, SECOND, "Processor.dispute.opened"] }],
    [{ kinds: [FIRST, "Processor.dispute.opened"] }, { events: [FIRST, "Processor.dispute.opened"] }],
    [{ kinds: [] }, { events: null }],
  ])("to %o sends %o alone", (changed, sent) => expect(changesOf(terms, { ...terms, ...changed })).toEqual(sent));

  it("says nothing of kinds where all stay", () => expect(changesOf({ ...terms, kinds: [] }, { ...terms, kinds: [] })).toEqual({}));
});
