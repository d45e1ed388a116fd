import { describe, expect, it } from "vitest";
import { mailAbout, mailWithCode } from "../../src/chats/mails.ts";
import { disputeEvidenceDue } from "../../src/webhooks/outbox/events/dispute-evidence-due.ts";
import { allEvents } from "../../src/webhooks/outbox/events/index.ts";
import { webhookFailing } from "../../src/webhooks/outbox/events/webhook-health.ts";

/** The messages that go to an e-mail address. */

const settings = { brand: { name: "Shop", color: "#000000" }, dashboardOrigin: "https://dashboard.example" };
const nameless = { brand: { name: null, color: "#000000" }, dashboardOrigin: null };
const bodyOf = (example: object, more: object = {}) => JSON.stringify({ ...example, ...more });

describe("the message about an event", () => {
  it("has the sentence of the chat, and where addresses are changed", () => {
    expect(mailAbout(settings, "a@b.example", bodyOf(webhookFailing.example))).toEqual({
      to: "a@b.example",
      subject: "Shop: Your webhook fails",
      text: `${String(webhookFailing.example["says"])}\n\nAddresses are changed at https://dashboard.example/dashboard/webhooks?tab=chat\n`,
    });
  });

  it("of a service without a name and a dashboard says less, and test data is marked", () => {
    const { subject, text } = mailAbout(nameless, "a@b.example", bodyOf(disputeEvidenceDue.example, { environment: "test" }));
    expect(subject).toBe("[test] Evidence for a dispute is due");
    expect(text).toMatch(/^\[test\] A customer disputes .*\n\nAn owner of the account has entered this address\.\n$/);
  });

  it("has a subject of its own for each event", () => {
    const subjects = allEvents
      .filter(({ channels }) => channels.includes("email"))
      .map(({ example }) => mailAbout(nameless, "a@b.example", bodyOf(example)).subject);
    expect(subjects).toEqual([
      "A customer disputes a payment",
      "Evidence for a dispute is due",
      "Your webhook fails",
      "Your webhook takes deliveries again",
    ]);
  });
});

it("the message with a code has the code, how long it is valid, and what to do without having asked", () => {
  const { to, subject, text } = mailWithCode(settings, "a@b.example", "0a1b2c3d4e");
  expect([to, subject]).toEqual(["a@b.example", "Shop: Confirm this address"]);
  expect(text).toMatch(/^The code is 0a1b2c3d4e\n\nIt is valid today and tomorrow\..*do nothing/s);
  expect(mailWithCode(nameless, "a@b.example", "x").subject).toBe("Confirm this address");
});
