import { audience } from "../api/audience.ts";
import { texts } from "../texts/index.ts";

/** Who made an object, as a fact: a person by the name, a key by its label. Null where it is not known. */
export const createdBy = (holder: string | null) =>
  [texts.audit.createdBy, holder === null ? null : <Holder key="holder" holder={holder} />] as const;

/** Who made a key: a person or a key, by its id; null: support. */
export function Maker({ id }: { readonly id: string | null }) {
  const nameOf = audience().useActorName();
  return nameOf(id === null ? "support" : id.startsWith("key_") ? `holder of ${id}` : `person ${id}`);
}

/** Without a name, the id of the log stands there, to be quoted. */
function Holder({ holder }: { readonly holder: string }) {
  const nameOf = audience().useActorName();
  return nameOf(holder);
}
