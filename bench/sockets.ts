import { Buffer } from "node:buffer";
import { connect, type Socket } from "node:net";

/** A request as bytes, so that sending it costs the load generator next to nothing. */
export function requestBytes(method: string, path: string, headers: Readonly<Record<string, string>> = {}, body = ""): Buffer {
  const all = { Host: "localhost", ...headers, ...(body === "" ? {} : { "Content-Length": String(Buffer.byteLength(body)) }) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from([`${method} ${path} HTTP/1.1`, ...lines, "", body].join("\r\n"));
}

export interface Answered {
  readonly status: number;
  /** Undefined unless the answer was asked for. */
  readonly text: string;
}

/** One connection, kept open: one request at a time. */
class Connection {
  readonly #socket: Socket;
  #received: Buffer[] = [];
  #size = 0;
  #waiting: { readonly done: (answer: Answered) => void; readonly failed: (reason: Error) => void } | null = null;

  constructor(port: number) {
    this.#socket = connect({ port, host: "127.0.0.1", noDelay: true });
    this.#socket.on("data", (chunk: Buffer) => this.#take(chunk));
    this.#socket.on("error", (reason) => this.#waiting?.failed(reason));
    this.#socket.on("close", () => this.#waiting?.failed(new Error("the connection was closed")));
  }

  send(request: Buffer): Promise<Answered> {
    return new Promise((done, failed) => {
      this.#waiting = { done, failed };
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#waiting = null;
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    this.#received.push(chunk);
    this.#size += chunk.length;
    const all = this.#received.length === 1 ? chunk : Buffer.concat(this.#received, this.#size);
    if (!isWhole(all)) {
      this.#received = [all];
      return;
    }
    this.#received = [];
    this.#size = 0;
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.done({ status: Number(all.toString("latin1", 9, 12)), text: all.toString() });
  }
}

const END_OF_HEAD = Buffer.from("\r\n\r\n");
const LAST_CHUNK = Buffer.from("\r\n0\r\n\r\n");

function isWhole(bytes: Buffer): boolean {
  const end = bytes.indexOf(END_OF_HEAD);
  if (end === -1) return false;
  const head = bytes.toString("latin1", 0, end).toLowerCase();
  const length = /\r\ncontent-length: (\d+)/.exec(head)?.[1];
  if (length !== undefined) return bytes.length >= end + 4 + Number(length);
  if (!head.includes("\r\ntransfer-encoding: chunked")) return true;
  return bytes.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK) || bytes.subarray(end + 4).equals(Buffer.from("0\r\n\r\n"));
}

export interface Pool {
  /** Sends `count` requests over all connections. Returns the seconds it took. Throws at another status than the wanted one. */
  run(count: number, next: (index: number) => Buffer, wanted: number): Promise<number>;
  /** Sends one request and gives its answer. */
  ask(request: Buffer): Promise<Answered>;
  close(): void;
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
            const { status, text } = await connection.send(next(index));
            if (status !== wanted) throw new Error(`answered ${status} instead of ${wanted}: ${text.slice(0, 600)}`);
          }
        }),
      );
      return (performance.now() - startedAt) / 1000;
    },
    ask(request) {
      const [first] = pool;
      if (first === undefined) throw new Error("the pool has no connection");
      return first.send(request);
    },
    close() {
      for (const connection of pool) connection.close();
    },
  };
}
