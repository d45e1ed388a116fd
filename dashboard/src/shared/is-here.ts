import { type RefObject, useEffect, useRef } from "react";

/** Whether this part of the page is still shown: a person who has left it waits for no further work. */
export function useIsHere(): RefObject<boolean> {
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  return isHere;
}
