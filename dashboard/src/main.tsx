import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "@mantine/spotlight/styles.css";
import "./shell/styles.css";
import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queries } from "./api/queries.ts";
import { router } from "./router.tsx";
import { OWN_EVENT, setPagesOfObjects } from "./shared/object-link.tsx";
import { cssVariables, theme } from "./shell/theme.ts";

// A page that the browser kept for its way back may show what was signed out.
globalThis.addEventListener("pageshow", (event) => {
  if (event.persisted) globalThis.location.reload();
});

setPagesOfObjects([
  [/^pi_\w+$/, "/payments/"],
  [/^plink_\w+$/, "/links/"],
  [/^sub_\w+$/, "/subscriptions/"],
  [OWN_EVENT, "/webhooks/deliveries/"],
]);

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no element for the application");

createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <Notifications position="top-right" />
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
