import { useMemo } from "react";
import { api } from "../api/client.ts";
import { actorName } from "../objects/audit/sentence.ts";
import { useMay } from "./session.ts";

const MOST = { params: { query: { limit: 100 } } };

/** Names actors by the partner's people and keys, which only an owner sees; to others an id stays an id. */
export function useActorName(): (actor: string) => string {
  const enabled = useMay("owner");
  const people = api.useQuery("get", "/partner/people", MOST, { enabled, staleTime: 60_000 }).data;
  const keys = api.useQuery("get", "/partner/keys", MOST, { enabled, staleTime: 60_000 }).data;
  return useMemo(() => {
    const names = new Map((people?.data ?? []).map(({ id, name }) => [id, name]));
    const known = {
      people: names,
      keys: new Map(
        (keys?.data ?? []).map(({ key_id, label, hint, employee_id }) => [
          key_id,
          { label, hint, person: employee_id === null ? null : (names.get(employee_id) ?? null) },
        ]),
      ),
    };
    return (actor) => actorName(actor, known);
  }, [people, keys]);
}
