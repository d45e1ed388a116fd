import * as z from "zod";
import { ServiceFailure } from "../../../core/errors.ts";
import { requirePermission } from "../../../partners/authenticate.ts";
import { admitChange } from "../../../partners/change-counts.ts";
import { creations } from "../../v1/index.ts";
import { getPartnerPayment } from "../../v2/get-payment.ts";
import { operations } from "../../v2/index.ts";
import { requireFreshPasskey } from "../access.ts";
import { definePartnerCall } from "../define-call.ts";
import { OperationFailure } from "../failure.ts";

/** The operations that a signed-in person can call: those that change something, and the objects of a payment. */
const callable = new Map(
  [...creations, ...operations.filter(({ effect }) => !effect.readOnly), getPartnerPayment].map((operation) => [operation.name, operation]),
);

export const operationCalls = [
  definePartnerCall({
    command: "operations call",
    method: "POST",
    path: "/partner/operations/{operation}",
    permission: "signed_in",
    isBounded: true,
    summary: "Carries out an operation for a signed-in person, with the permission, the body, the token and the answer of the operation",
    params: z.object({ operation: z.enum([...callable.keys()]).describe("The operation's name. A program calls the operation itself") }),
    body: z.record(z.string(), z.unknown()).describe("The operation's body"),
    answer: z.looseObject({ success: z.literal(true) }).describe("The operation's answer"),
    async run({ deps, caller, signedIn }, { params, body }) {
      const operation = callable.get(params.operation);
      if (operation === undefined) throw new Error("the path was checked against the operations");
      // What a person may not do uses up nothing of what their colleagues may.
      requirePermission(caller, operation.permission, "person");
      // They move events, and show their secret.
      if (operation.permission === "webhook_config") requireFreshPasskey(signedIn, deps.clock);
      // To look at a payment leaves nothing.
      if (!operation.effect.readOnly) await admitChange(deps, caller);
      return operation.invoke(deps, { by: "person", caller }, body).catch((thrown: unknown) => {
        throw thrown instanceof ServiceFailure ? new OperationFailure(thrown, operation.generation) : thrown;
      });
    },
  }),
];
