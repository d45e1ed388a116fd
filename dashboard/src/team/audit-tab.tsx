import { useMemo } from "react";
import { audience } from "../api/audience.ts";
import { api } from "../api/client.ts";
import { auditLog } from "../objects/audit/list.tsx";
import { ObjectList } from "../objects/object-list.tsx";
import type { Filter } from "../shared/filters.tsx";
import { texts } from "../texts/index.ts";

/** Who changed what, from what to what. People stand with their names, keys with their labels. */
export function AuditTab() {
  const nameOf = audience().useActorName();
  const people = api.useQuery("get", "/partner/people", { params: { query: { limit: 100 } } }).data?.data ?? [];
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
