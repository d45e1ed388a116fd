import { useState } from "react";
import { messageOf } from "../api/failure.ts";

interface State {
  readonly isBusy: boolean;
  /** What was thrown; null before, and after a success. */
  readonly thrown: unknown;
}

const READY: State = { isBusy: false, thrown: null };

/** The work of a button or a form: whether it goes on, and its failure with its words, until it begins again. */
export function useSending() {
  const [{ isBusy, thrown }, setState] = useState(READY);
  const send = async (work: () => Promise<unknown>) => {
    setState({ isBusy: true, thrown: null });
    try {
      await work();
      setState(READY);
    } catch (failed) {
      setState({ isBusy: false, thrown: failed });
    }
  };
  return { isBusy, thrown, failure: thrown === null ? null : messageOf(thrown), send, forget: () => setState(READY) };
}
