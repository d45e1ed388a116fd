import { useMemo } from "react";
import { audience } from "../api/audience.ts";
import { auditLog } from "../objects/audit/list.tsx";
import { ObjectList } from "../objects/object-list.tsx";
import type { Filter } from "../shared/filters.tsx";
import { usePeople } from "../shell/actor-name.ts";
import { texts } from "../texts/index.ts";

/** Who changed what, from what to what. People stand with their names, keys with their labels. */
export function AuditTab() {
  const nameOf = audience().useActorName();
  const people = usePeople(true) ?? [];
  const list = useMemo(() => auditLog(nameOf), [nameOf]);
  const who: Filter = {
    kind: "choice",
    name: "actor",
    label: texts.audit.actor,
    choices: [...people.map(({ id }) => `person ${id}`), "support"],
    // Two people may have one name.
    words: {
      support: nameOf("support"),
      ...Object.fromEntries(people.map(({ id, name }) => [`person ${id}`, `${name} (…${id.slice(-4)})`])),
    },
  };
  return <ObjectList of={list} filters={[who]} />;
}
