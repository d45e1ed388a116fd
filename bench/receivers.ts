import { createServer, type ServerResponse } from "node:http";
import { freePorts } from "../tools/local/ports.ts";

/** Receivers of deliveries on this machine. Those below {@link HANGING} accept each request, and answer on demand. */
export interface Receivers {
  readonly origin: string;
  /** The number of requests that were answered at once. */
  taken(): number;
  /** Answers the hanging requests. */
  releaseBatch(): void;
  close(): void;
}

export const HANGING = "/hanging/";

export async function startReceivers(): Promise<Receivers> {
  let taken = 0;
  const held: ServerResponse[] = [];
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      if (request.url?.startsWith(HANGING) === true) return void held.push(response);
      taken += 1;
      response.end("taken");
    });
  });
  const [port = 0] = await freePorts(1);
  await new Promise<void>((resolve) => server.listen(port, "localhost", resolve));
  return {
    origin: `http://localhost:${port}`,
    taken: () => taken,
    releaseBatch() {
      for (const response of held.splice(0)) response.end("at last");
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
