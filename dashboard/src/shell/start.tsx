import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "@mantine/spotlight/styles.css";
import "./styles.css";
import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queries } from "../api/queries.ts";
import { cssVariables, theme } from "./theme.ts";

/** Draws an application, the dashboard or the console, into its page. */
export function start(application: ReactNode): void {
  // A page that the browser kept for its way back may show what was signed out.
  globalThis.addEventListener("pageshow", (event) => {
    if (event.persisted) globalThis.location.reload();
  });
  const root = document.getElementById("root");
  if (root === null) throw new Error("the page has no element for the application");
  createRoot(root).render(
    <StrictMode>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
        <Notifications position="top-right" />
        <QueryClientProvider client={queries}>{application}</QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
}
