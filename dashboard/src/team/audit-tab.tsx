import { useMemo } from "react";
import { api } from "../api/client.ts";
import { auditLog } from "../objects/audit/list.tsx";
import { actorName } from "../objects/audit/sentence.ts";
import { ObjectList } from "../objects/object-list.tsx";

const MOST = { params: { query: { limit: 100 } } };

/** Who changed what, from what to what. People stand with their names, keys with their labels. */
export function AuditTab() {
  const people = api.useQuery("get", "/partner/people", MOST).data;
  const keys = api.useQuery("get", "/partner/keys", MOST).data;
  const list = useMemo(() => {
    const known = {
      people: new Map((people?.data ?? []).map(({ id, name }) => [id, name])),
      keys: new Map((keys?.data ?? []).map(({ key_id, label }) => [key_id, label])),
    };
    return auditLog((actor) => actorName(actor, known));
  }, [people, keys]);
  return <ObjectList of={list} />;
}
