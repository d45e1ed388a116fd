import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { allRows } from "../api/all-rows.ts";
import { client } from "../api/client.ts";
import { actorName } from "../objects/audit/sentence.ts";
import { useMay } from "./session.ts";

/** The people of the partner, the disabled ones too, by whom something may have been made. */
export const usePeople = (enabled: boolean) =>
  useQuery({
    queryKey: ["people of names"],
    queryFn: () => allRows((at) => client.GET("/partner/people", { params: { query: { limit: 100, ...at } } })),
    staleTime: 60_000,
    enabled,
  }).data;

/** Names actors by the partner's people and keys, which only an owner sees; to others an id stays an id. */
export function useActorName(): (actor: string) => string {
  const enabled = useMay("owner");
  const people = usePeople(enabled);
  const keys = useQuery({
    queryKey: ["keys of names"],
    queryFn: () => allRows((at) => client.GET("/partner/keys", { params: { query: { limit: 100, ...at } } })),
    staleTime: 60_000,
    enabled,
  }).data;
  return useMemo(() => {
    const names = new Map((people ?? []).map(({ id, name }) => [id, name]));
    const known = {
      people: names,
      keys: new Map(
        (keys ?? []).map(({ key_id, label, hint, employee_id }) => [
          key_id,
          { label, hint, person: employee_id === null ? null : (names.get(employee_id) ?? null) },
        ]),
      ),
    };
    return (actor) => actorName(actor, known);
  }, [people, keys]);
}
