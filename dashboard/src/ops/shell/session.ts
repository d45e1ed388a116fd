import { createContext, useContext } from "react";
import type { AnswerOf } from "../api/client.ts";

/** The signed-in operator, as the Worker says it. */
export type Session = AnswerOf<"/ops/session">;

export const SessionContext = createContext<Session | null>(null);

/** The signed-in operator. Only pages below the shell have one. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error("this page is shown only to a signed-in operator");
  return session;
}

/** Whether the operator may make calls that take a role. The Worker decides; the pages only leave out what it would refuse. */
export function useMay(): (role: string) => boolean {
  const { roles } = useSession();
  return (role) => (role === "any" ? roles.length > 0 : roles.includes(role) || roles.includes("admin"));
}
