import type { Settings } from "../../core/settings.ts";
import { conflict } from "../calls/refusal.ts";

/** The origin where people sign in. @throws CallRefusal if the service has none. */
export function dashboardOf({ dashboardOrigin }: Settings): string {
  return dashboardOrigin ?? conflict("This service has no dashboard, so no person could sign in: the setting DASHBOARD_ORIGIN is missing.");
}

/** Where a person decides about a request of an agent. @throws CallRefusal if the service has no dashboard. */
export function confirmationAddress(settings: Settings, id: string): string {
  return `${dashboardOf(settings)}/dashboard/developers/confirmations/${encodeURIComponent(id)}`;
}
