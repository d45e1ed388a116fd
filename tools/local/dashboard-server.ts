import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "./processes.ts";

/** The pages of the dashboard, served from their sources. */
interface DashboardServer {
  readonly origin: string;
  close(): Promise<void>;
}

/** A free port from here on is taken. */
const PORT = 8790;

/**
 * Serves the pages of the dashboard from their sources, so that a saved change is shown at once. Their calls go to the local
 * edge, as if they came from its own pages. Null if the packages of the dashboard are not installed.
 */
export async function serveDashboard(edge: string): Promise<DashboardServer | null> {
  if (!existsSync(join(root, "node_modules", "@mantine", "core"))) return null;
  const { createServer } = await import("vite");
  const server = await createServer({
    root: join(root, "dashboard"),
    cacheDir: join(root, ".wrangler", "vite"),
    logLevel: "error",
    clearScreen: false,
    server: { port: PORT, proxy: { "/partner": { target: edge, headers: { origin: edge } } } },
  });
  await server.listen();
  const [address = ""] = server.resolvedUrls?.local ?? [];
  return { origin: new URL(address).origin, close: () => server.close() };
}
