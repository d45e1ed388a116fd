import { useRouterState } from "@tanstack/react-router";
import { useEffect, useRef } from "react";

/**
 * Puts the focus at the beginning of a page after a navigation: a screen reader and the keyboard go on there, and not at the body, where
 * the focus falls when the followed link is gone. A page that takes the focus into a field of its own keeps it.
 */
export function useFocusOnPage(): void {
  // The address changes at once, and the page when it is loaded.
  const pathname = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    const isFirst = shown.current === undefined;
    shown.current = pathname;
    const main = document.querySelector<HTMLElement>("#main");
    if (!isFirst && main?.contains(document.activeElement) === false) main.focus({ preventScroll: true });
  }, [pathname]);
}
