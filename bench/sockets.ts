import { connect, type Socket } from "node:net";

/** Sent and received as latin1: one character is one byte, and working with text costs the load generator little. */
const ENCODING = "latin1";

/** A request as it goes over the wire. The body must be ASCII. */
export function requestText(method: string, path: string, headers: Readonly<Record<string, string>> = {}, body = ""): string {
  const all = { Host: "localhost", ...headers, ...(body === "" ? {} : { "Content-Length": String(body.length) }) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${path} HTTP/1.1`, ...lines, "", body].join("\r\n");
}

interface Waiting {
  readonly request: string;
  readonly done: (answer: string) => void;
  readonly failed: (reason: Error) => void;
  readonly isAgain: boolean;
}

/**
 * One keep-alive connection: one request at a time. The runtime closes a connection that was idle for some seconds,
 * perhaps while a request is on its way. Then it is opened again, and a request without any response is sent once more.
 */
class Connection {
  readonly #port: number;
  #socket: Socket | null = null;
  #received = "";
  #waiting: Waiting | null = null;

  constructor(port: number) {
    this.#port = port;
  }

  /** The whole answer. */
  send(request: string): Promise<string> {
    return new Promise((done, failed) => this.#write({ request, done, failed, isAgain: false }));
  }

  close(): void {
    this.#waiting = null;
    this.#socket?.destroy();
  }

  #write(waiting: Waiting): void {
    this.#waiting = waiting;
    this.#socket ??= this.#open();
    this.#socket.write(waiting.request, ENCODING);
  }

  #open(): Socket {
    const socket = connect({ port: this.#port, host: "127.0.0.1", noDelay: true });
    socket.setEncoding(ENCODING);
    socket.on("data", (chunk: string) => this.#take(chunk));
    // A close event follows.
    socket.on("error", () => undefined);
    socket.on("close", () => this.#closed());
    return socket;
  }

  #closed(): void {
    const waiting = this.#waiting;
    this.#socket = null;
    if (waiting === null) return;
    if (waiting.isAgain || this.#received !== "") waiting.failed(new Error("the connection was closed"));
    else this.#write({ ...waiting, isAgain: true });
  }

  #take(chunk: string): void {
    this.#received += chunk;
    if (!isWhole(this.#received)) return;
    const [answer, waiting] = [this.#received, this.#waiting];
    this.#received = "";
    this.#waiting = null;
    waiting?.done(answer);
  }
}

const END_OF_HEAD = "\r\n\r\n";

function isWhole(received: string): boolean {
  const end = received.indexOf(END_OF_HEAD);
  if (end === -1) return false;
  const head = received.slice(0, end).toLowerCase();
  const length = /\r\ncontent-length: (\d+)/.exec(head)?.[1];
  if (length !== undefined) return received.length >= end + END_OF_HEAD.length + Number(length);
  return !head.includes("\r\ntransfer-encoding: chunked") || received.endsWith("\r\n0\r\n\r\n");
}

export interface Pool {
  /** Sends `count` requests over all connections. Returns the seconds it took. Throws at another status than the wanted one. */
  run(count: number, next: (index: number) => string, wanted: number): Promise<number>;
  /** The same, one after the other. Returns the milliseconds that each took. */
  times(count: number, next: (index: number) => string, wanted: number): Promise<number[]>;
  /** Sends a request repeatedly over all connections, whatever the answers are. */
  runUntil(isOver: () => boolean, request: string): Promise<void>;
  close(): void;
}

function check(answer: string, wanted: number): void {
  if (!answer.startsWith(`HTTP/1.1 ${wanted} `) || (wanted === 200 && answer.includes('"success":false')))
    throw new Error(`wanted ${wanted}, and got ${answer.slice(0, 800)}`);
}

/** Connections to one port of this machine. */
export function openPool(port: number, connections: number): Pool {
  const pool = Array.from({ length: connections }, () => new Connection(port));
  let sent = 0;
  return {
    async run(count, next, wanted) {
      const end = sent + count;
      const startedAt = performance.now();
      await Promise.all(
        pool.map(async (connection) => {
          while (sent < end) {
            const index = sent;
            sent += 1;
            const answer = await connection.send(next(index));
            check(answer, wanted);
          }
        }),
      );
      return (performance.now() - startedAt) / 1000;
    },
    async times(count, next, wanted) {
      const [connection] = pool;
      const times: number[] = [];
      if (connection === undefined) return times;
      while (times.length < count) {
        const startedAt = performance.now();
        const answer = await connection.send(next(times.length));
        check(answer, wanted);
        times.push(performance.now() - startedAt);
      }
      return times;
    },
    async runUntil(isOver, request) {
      await Promise.all(
        pool.map(async (connection) => {
          while (!isOver()) await connection.send(request);
        }),
      );
    },
    close() {
      for (const connection of pool) connection.close();
    },
  };
}
