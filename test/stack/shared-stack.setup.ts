import { createServer } from "node:http";
import type { TestProject } from "vitest/node";
import { freePorts } from "../../tools/local/ports.ts";
import { startTemporary } from "./temporary.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** Answers with the addresses of the shared stack once it is up. */
    readonly sharedStack: string;
  }
}

/** Starts the stack that files share when the first of them asks for it, and stops it after all tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // As in the tests themselves, which run in other processes.
  process.env.SITE = "built";
  let starting: ReturnType<typeof startTemporary> | undefined;
  const server = createServer((_request, response) => {
    starting ??= startTemporary({ fixtures: true });
    starting.then(
      ({ edge, sandbox }) => response.end(JSON.stringify({ edge, sandbox })),
      (thrown: unknown) => response.writeHead(500).end(String(thrown)),
    );
  });
  const [port = 0] = await freePorts(1);
  await new Promise<void>((listening) => server.listen(port, "localhost", listening));
  project.provide("sharedStack", `http://localhost:${port}`);
  return async () => {
    server.closeAllConnections();
    server.close();
    const stack = await starting?.catch(() => undefined);
    await stack?.stop();
  };
}
