import { existsSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { root } from "./processes.ts";

/** The pages of the dashboard, served from their sources. */
interface DashboardServer {
  readonly origin: string;
  close(): Promise<void>;
}

/** Another free port is taken if this one is not. */
const PORT = 8790;

/**
 * Serves the pages of the dashboard and of the console from their sources, so that a saved change is shown at once. Their calls go to the local
 * edge, as if they came from its own pages. Null if the packages of the dashboard are not installed.
 */
export async function serveDashboard(edge: string): Promise<DashboardServer | null> {
  if (!existsSync(join(root, "node_modules", "@mantine", "core"))) return null;
  const { createServer: createVite } = await import("vite");
  const server = createServer();
  // As a middleware, so that it leaves the signals of this process alone.
  const vite = await createVite({
    root: join(root, "dashboard"),
    cacheDir: join(root, ".wrangler", "vite"),
    logLevel: "error",
    clearScreen: false,
    server: {
      middlewareMode: { server },
      hmr: { server },
      proxy: Object.fromEntries(["/partner", "/ops"].map((calls) => [calls, { target: edge, headers: { origin: edge } }])),
    },
  });
  server.on("request", (request, response) => {
    request.url = fileOf(request.url ?? "/");
    vite.middlewares(request, response);
  });
  const port = await listening(server);
  return {
    origin: `http://localhost:${port}`,
    async close() {
      await vite.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The console's addresses are drawn by one file, and a partner's dashboard in it by another, as the Worker serves them. */
function fileOf(url: string): string {
  if (!/^\/ops(?:\/?$|\/console)/.test(url)) return url;
  return url.startsWith("/ops/console/view/") ? "/dashboard/index.html" : "/dashboard/console.html";
}

async function listening(server: Server): Promise<number> {
  const tryPort = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, "localhost", () => {
        server.off("error", reject);
        resolve();
      });
    });
  await tryPort(PORT).catch(() => tryPort(0));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server listens on no port");
  return address.port;
}
