import { useState } from "react";
import { messageOf } from "../api/failure.ts";

/** The work of a button or a form: whether it goes on, and the words of its failure, until it begins again. */
export function useSending() {
  const [state, setState] = useState<{ readonly isBusy: boolean; readonly failure: string | null }>({ isBusy: false, failure: null });
  const send = async (work: () => Promise<unknown>) => {
    setState({ isBusy: true, failure: null });
    try {
      await work();
      setState({ isBusy: false, failure: null });
    } catch (thrown) {
      setState({ isBusy: false, failure: messageOf(thrown) });
    }
  };
  return { ...state, send, forget: () => setState({ isBusy: false, failure: null }) };
}
