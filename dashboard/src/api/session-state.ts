import { createStore, useStore } from "@mantine/store";

/** Whether a call was refused because the session has ended. Pages keep what was typed; the shell asks to sign in again. */
const session = createStore({ isEnded: false });

export const noteSessionEnded = (): void => session.setState({ isEnded: true });
export const noteSessionStarted = (): void => session.setState({ isEnded: false });

/** True from a refused call on until a person has signed in again. */
export const useSessionEnded = (): boolean => useStore(session).isEnded;

/** The person whose data the page shows, whom each call names. */
let person: string | null = null;
export const shownPerson = (): string | null => person;
export function noteShownPerson(id: string | null): void {
  person = id;
}
