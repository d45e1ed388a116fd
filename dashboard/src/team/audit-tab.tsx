import { useMemo } from "react";
import { audience } from "../api/audience.ts";
import { auditLog } from "../objects/audit/list.tsx";
import { ObjectList } from "../objects/object-list.tsx";

/** Who changed what, from what to what. People stand with their names, keys with their labels. */
export function AuditTab() {
  const nameOf = audience().useActorName();
  const list = useMemo(() => auditLog(nameOf), [nameOf]);
  return <ObjectList of={list} />;
}
