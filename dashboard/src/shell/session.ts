import { createContext, useContext } from "react";
import type { paths } from "../api/schema.d.ts";

/** The signed-in person, as the Worker says it. */
export type Session = paths["/partner/session"]["get"]["responses"]["200"]["content"]["application/json"];
export type Right = Session["permissions"][number];

export const SessionContext = createContext<Session | null>(null);

/** The signed-in person. Only pages below the shell have one. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error("this page is shown only to a signed-in person");
  return session;
}

/** Whether the person may do something. The Worker decides; the pages only leave out what it would refuse. */
export function useMay(right: Right): boolean {
  return useSession().permissions.includes(right);
}
