import { expect, it } from "vitest";
import {
  attributionOf,
  isAttributedTo,
  isOfLink,
  partnerIdIn,
  recordIdIn,
  workflowStartIn,
} from "../../src/processor/attribution-metadata.ts";
import { environmentOf, livemodeOf } from "../../src/processor/environment.ts";
import { expanded, idOf, toObject } from "../../src/processor/stripe-objects.ts";

const metadata = attributionOf({ partnerId: "acme", recordId: "r", begunAt: 7 });

it("says in metadata which partner it belongs to, of which record and since when, and reads it back", () => {
  expect(metadata).toEqual({ partner_id: "acme", record_id: "r", record_since: "7" });
  expect([partnerIdIn(metadata), workflowStartIn(metadata)]).toEqual(["acme", 7]);
  expect([partnerIdIn({}), workflowStartIn({}), workflowStartIn(null), workflowStartIn({ record_since: "soon" })]).toEqual([
    null,
    null,
    null,
    null,
  ]);
});

it("recognises an object by all of its metadata", () => {
  expect(isAttributedTo({ ...metadata, more: "x" }, metadata)).toBe(true);
  for (const name of Object.keys(metadata)) expect(isAttributedTo({ ...metadata, [name]: "other" }, metadata)).toBe(false);
  expect(isAttributedTo({}, metadata)).toBe(false);
  expect(isAttributedTo(null, metadata)).toBe(false);
});

it("knows the environments by livemode, both ways", () => {
  expect([environmentOf(true), environmentOf(false)]).toEqual(["live", "test"]);
  expect([livemodeOf("live"), livemodeOf("test")]).toEqual([true, false]);
});

it("reads a reference as an id or as the object itself", () => {
  expect([idOf("ch_1"), idOf({ id: "ch_2" }), idOf(null)]).toEqual(["ch_1", "ch_2", null]);
  expect([expanded("ch_1"), expanded({ id: "ch_2" }), expanded(null)]).toEqual([null, { id: "ch_2" }, null]);
});

it("keeps an object without the addresses and secrets of the processor's pages", () => {
  const object = {
    id: "cs_1",
    object: "checkout.session",
    url: "https://checkout.example",
    receipt_url: "x",
    hosted_voucher_url: "x",
    image_url_png: "x",
    invoice_pdf: "x",
    client_secret: "x",
    lastResponse: {},
    curl: "stays",
    lastResponses: "stays",
    myLastResponse: "stays",
    my_lastResponse: "stays",
    nested: { url: "x", amount: 1 },
  };
  expect(toObject(object)).toEqual({
    id: "cs_1",
    type: "checkout.session",
    data: {
      id: "cs_1",
      object: "checkout.session",
      curl: "stays",
      lastResponses: "stays",
      myLastResponse: "stays",
      my_lastResponse: "stays",
      nested: { amount: 1 },
    },
  });
  expect(toObject({ object: "list" }).id).toBe("");
});

it("names its record, and tells a link's metadata from that of a person who entered only a partner", () => {
  expect([recordIdIn(metadata), recordIdIn({})]).toEqual(["r", null]);
  expect([metadata, { partner_id: "acme" }, { record_id: "r" }, {}].map(isOfLink)).toEqual([true, false, false, false]);
});
