import { useMemo } from "react";
import { api } from "../api/client.ts";
import { auditLog } from "../objects/audit/list.tsx";
import { ObjectList } from "../objects/object-list.tsx";

/** Who changed what, from what to what. People stand with their names. */
export function AuditTab() {
  const { data } = api.useQuery("get", "/partner/people", { params: { query: { limit: 100 } } });
  const list = useMemo(() => {
    const names = new Map((data?.data ?? []).map(({ id, name }) => [`person ${id}`, name]));
    return auditLog((actor) => names.get(actor) ?? actor);
  }, [data]);
  return <ObjectList of={list} />;
}
