import { useDebouncedCallback } from "@mantine/hooks";
import { useRef, useState } from "react";

/**
 * A text that is typed into a field, and sent at the end of typing. If something else changes the value, such as the browser's way
 * back, the field shows that. `wait`: in milliseconds.
 */
export function useTyped(value: string, send: (text: string) => void, wait: number) {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  const sent = useRef(value);
  if (known !== value) {
    setKnown(value);
    if (sent.current !== value) setTyped(value);
    sent.current = value;
  }
  const settle = useDebouncedCallback((text: string) => {
    sent.current = text.trim();
    send(sent.current);
  }, wait);
  const type = (text: string) => {
    setTyped(text);
    settle(text);
  };
  return { typed, type };
}
