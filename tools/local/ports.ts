import { createServer } from "node:net";

/**
 * The range of ports: below the ephemeral ports of the system, so that no other program gets one between the check and the
 * start of the listener.
 */
const FIRST = 20_000;
const LAST = 31_999;
/** The distance between the first ports of two processes. */
const PER_PROCESS = 30;

let next = FIRST + ((process.pid * PER_PROCESS) % (LAST - FIRST + 1));

/** Free ports of this machine. A process gets each of them once, and processes of one time get different ones. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  for (let tries = FIRST; ports.length < count && tries <= LAST; tries += 1) {
    const port = next;
    next = port === LAST ? FIRST : port + 1;
    if ((await isFree(port, "127.0.0.1")) && (await isFree(port, "localhost"))) ports.push(port);
  }
  if (ports.length < count) throw new Error(`this machine has no free port from ${FIRST} to ${LAST}`);
  return ports;
}

function isFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}
