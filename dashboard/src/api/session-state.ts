import { useSyncExternalStore } from "react";

/** Whether a call was refused because the session has ended. Pages keep what was typed; the shell asks to sign in again. */
let isEnded = false;
const listeners = new Set<() => void>();

function set(value: boolean): void {
  if (isEnded === value) return;
  isEnded = value;
  for (const listener of listeners) listener();
}

export const noteSessionEnded = (): void => set(true);
export const noteSessionStarted = (): void => set(false);

/** The person whose data the page shows, whom each call names. */
let person: string | null = null;
export const shownPerson = (): string | null => person;
export function noteShownPerson(id: string | null): void {
  person = id;
}

/** True from a refused call on until a person has signed in again. */
export function useSessionEnded(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isEnded,
  );
}
