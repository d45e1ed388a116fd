import { useState } from "react";
import type { RowChoice } from "../shared/data-table.tsx";
import { type Chosen, chosenOf, withChosen } from "./chosen.ts";

/** The rows of a page of a list that a person chooses. */
export function useChosen(page: string, rows: readonly string[]): { readonly choice: RowChoice; readonly clear: () => void } {
  const [state, setState] = useState<Chosen | null>(null);
  const chosen = chosenOf(state, page, rows);
  const choose: RowChoice["choose"] = (keys, isChosen) => setState({ page, keys: withChosen(chosen, keys, isChosen) });
  return { choice: { chosen, choose }, clear: () => setState(null) };
}
