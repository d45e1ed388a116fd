/** The known answer of docs/webhooks.md: a whole event, and its signature at one time by one secret. */
export const knownAnswer = {
  secret: "whsec_test_4f7d1c0b9a8e6352d1c0b9a8e63524f7",
  id: "evt_015b0c6a7f0d3e4a51a3f1c2d4e5f607",
  /** Unix seconds. */
  timestamp: 1_795_132_800,
  body: '{"id":"evt_015b0c6a7f0d3e4a51a3f1c2d4e5f607","event":"Bank.payment.succeeded","environment":"test","created_at":"2026-11-20T00:00:00.000Z","Payment":{"PaymentId":481516234210042,"OrderId":"010c1e7b9a3d4c62818e0b2d4f6a8c1e","Amount":290000,"Status":"CONFIRMED","Data":{"ep_order":"order-2041","ep_product_id":null}}}',
  digest: "cb6d8ef0a2589faedd8eaa08c27d9b73aaf8448f587e57fe3fee2cea3f0cfa70",
};
