import { useQuery } from "@tanstack/react-query";
import type { CallDefinition } from "./call-definition.ts";

/** The definitions of all calls. They are loaded when a page first needs one: half of the console's pages need none. */
export function useDefinitions(): readonly CallDefinition[] {
  const { data = [] } = useQuery({
    queryKey: ["definitions"],
    queryFn: async () => (await import("./definitions.ts")).definitions,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  return data;
}

/** The definition of a call by its command; undefined until it is loaded. */
export function useDefinition(command: string): CallDefinition | undefined {
  return useDefinitions().find((call) => call.command === command);
}
