import { audience } from "../api/audience.ts";
import { texts } from "../texts/index.ts";

/** Who made an object, as a fact: a person by the name, a key by its label. Null where it is not known. */
export const createdBy = (holder: string | null) =>
  [texts.audit.createdBy, holder === null ? null : <Holder key="holder" holder={holder} />] as const;

function Holder({ holder }: { readonly holder: string }) {
  const nameOf = audience().useActorName();
  return nameOf(holder);
}
