import { cellCodeOf, newIdCode } from "../src/core/cell-code.ts";
import { connectCell } from "../src/db/client.ts";
import { PartnerData } from "../src/db/partner-data.ts";
import { findPayment } from "../src/ledger/find-payment.ts";
import { listTransactions } from "../src/ledger/list-transactions.ts";
import type { SnapshotDeps } from "../src/ledger/snapshots.ts";
import { freePorts } from "../tools/local/ports.ts";
import { type BenchWorker, sizeOf, startWorker } from "./bench-worker.ts";
import { generateMovements } from "./movements.ts";
import { prepareRecording, type Recording } from "./prepare-payments.ts";
import { median, ratios, sample } from "./sampling.ts";

const SMALL = 10_000;
const LARGE = 1_000_000;
const ROUNDS = 3;
const REQUESTS = 80;
/**
 * The number of payments. A payment is created at the sandbox, looked up and stored, which takes as long as ten
 * queries.
 */
const PAYMENTS = 15;
const CONCURRENCY = 4;

export interface Scaled {
  readonly name: string;
  /** Rows that a query reads from the ledger of a million movements, as D1 reports, and rows in its result. */
  readonly rows: { readonly read: number; readonly shown: number } | null;
  /** Ratio of a million movements to ten thousand, in the same round; the median of the rounds. */
  readonly cpuRatio: number | null;
  readonly timeRatio: number | null;
}

/** A benchmark query: as an HTTP request, and as a call to the function behind it, which returns the number of rows. */
interface Question {
  readonly name: string;
  readonly operation: string;
  readonly body: (about: Subject) => object;
  readonly ask: (tools: SnapshotDeps & { readonly data: PartnerData }, about: Subject) => Promise<number>;
}

/** The parameters of a request, so that each request reads different rows. All belong to acme. */
interface Subject {
  /** A payment that was refunded, and its order reference. */
  readonly paymentIntentId: string;
  readonly reference: string;
  /** ISO 8601, a time within the ledger's period. */
  readonly moment: string;
}

interface Ledger extends Recording {
  readonly worker: BenchWorker;
  readonly subjects: readonly Subject[];
}

const listing = (name: string, filter: (about: Subject) => Filter): Question => ({
  name,
  operation: "list-partner-processor-transactions",
  body: (about) => {
    const { limit = 20, environment, before, reference } = filter(about);
    return { limit, environment, created_lte: before, client_reference_id: reference };
  },
  ask: async (tools, about) => {
    const { limit = 20, environment, before, reference } = filter(about);
    const query = { limit, environment, createdGte: undefined, createdLte: before, clientReferenceId: reference };
    return (await listTransactions(tools, caller, query)).movements.length;
  },
});

interface Filter {
  readonly limit?: number;
  readonly environment?: "live" | "test";
  readonly before?: string;
  readonly reference?: string;
}

const QUESTIONS: readonly Question[] = [
  listing("list, the latest 20", () => ({})),
  listing("list, the latest 100", () => ({ limit: 100 })),
  listing("list, 100 live ones before a date", ({ moment }) => ({ limit: 100, environment: "live", before: moment })),
  listing("list, by order reference", ({ reference }) => ({ reference })),
  {
    name: "one payment with its refund",
    operation: "get-partner-processor-payment",
    body: ({ paymentIntentId }) => ({ payment_intent_id: paymentIntentId }),
    ask: async (tools, { paymentIntentId }) => 1 + (await findPayment(tools, caller, paymentIntentId)).related.length,
  },
];

const RECORDING = "a payment is recorded";

/** Compares operations 5 and 6, and a new payment, with a million movements of 200 partners to ten thousand, in one run. */
export async function measureScale(say: (progress: string) => void): Promise<Scaled[]> {
  const small = await prepare(SMALL, say);
  const large = await prepare(LARGE, say);
  try {
    const rounds: Map<string, ReturnType<typeof ratios>>[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const found = new Map<string, ReturnType<typeof ratios>>();
      const isSmallFirst = round % 2 === 0;
      for (const question of QUESTIONS)
        found.set(question.name, await compare(question.name, asking(question), [small, large], isSmallFirst));
      found.set(RECORDING, await compare(RECORDING, (ledger) => () => ledger.record(), [small, large], isSmallFirst));
      // The first round warms up and is not counted.
      if (round > 0) rounds.push(found);
      say(round === 0 ? "warmed up" : `round ${round} of ${ROUNDS} done`);
    }
    const results: Scaled[] = [];
    for (const name of [...QUESTIONS.map((question) => question.name), RECORDING]) {
      const found = rounds.map((round) => round.get(name));
      const question = QUESTIONS.find((one) => one.name === name);
      results.push({
        name,
        rows: question === undefined ? null : await rowsOf(large, question),
        cpuRatio: median(
          found.map((ratio) => ratio?.cpu ?? null),
          2,
        ),
        timeRatio: median(
          found.map((ratio) => ratio?.time ?? null),
          2,
        ),
      });
    }
    return results;
  } finally {
    for (const ledger of [small, large]) {
      await ledger.close();
      await ledger.worker.close();
    }
  }
}

/** Sends one query, with other subjects each time. */
function asking({ operation, body }: Question): (ledger: Ledger) => () => Promise<unknown> {
  return ({ worker, subjects }) => {
    const bodies = subjects.map(body);
    let sent = 0;
    return () => {
      sent += 1;
      return worker.call(operation, bodies[sent % bodies.length] ?? {});
    };
  };
}

/** Runs one workload on both ledgers, in turn, so that noise from other processes affects both equally. */
async function compare(
  name: string,
  workload: (ledger: Ledger) => () => Promise<unknown>,
  [small, large]: readonly [Ledger, Ledger],
  smallFirst: boolean,
): Promise<ReturnType<typeof ratios>> {
  const at = (ledger: Ledger) => sample({ name, requests: name === RECORDING ? PAYMENTS : REQUESTS, send: workload(ledger) }, CONCURRENCY);
  if (smallFirst) {
    const base = await at(small);
    return ratios(await at(large), base);
  }
  const own = await at(large);
  return ratios(own, await at(small));
}

async function prepare(count: number, say: (progress: string) => void): Promise<Ledger> {
  const [port = 0] = await freePorts(1);
  const worker = await startWorker(`http://localhost:${port}`);
  const recording = await prepareRecording(worker, port);
  const startedAt = performance.now();
  await generateMovements(worker.db, count);
  const bytes = await sizeOf(worker.db);
  say(
    `${count} movements made in ${Math.round((performance.now() - startedAt) / 1000)} s: ${Math.round(bytes / count)} bytes each with their indexes`,
  );
  const { results } = await worker.db
    .prepare(
      `SELECT payment_intent_id AS paymentIntentId, client_reference_id AS reference, transaction_date AS date FROM movements
       WHERE partner_id = 'acme' AND amount < 0 AND client_reference_id IS NOT NULL ORDER BY id LIMIT ${REQUESTS}`,
    )
    .all<{ paymentIntentId: string; reference: string; date: number }>();
  // The ids are scrambled, so these rows are spread over the ledger's whole period.
  return { worker, ...recording, subjects: results.map(({ date, ...ids }) => ({ ...ids, moment: new Date(date).toISOString() })) };
}

const caller = {
  partnerId: "acme",
  holder: { kind: "key" as const, keyId: "key_scale" },
  cell: cellCodeOf(1),
  idCode: newIdCode(cellCodeOf(1)),
  earlier: [],
  permissions: new Set<never>(),
  cancelPermission: null,
  timeZone: "UTC",
};

/** The rows that D1 reports as read for a query, and the rows in the result. */
async function rowsOf(ledger: Ledger, question: Question): Promise<{ read: number; shown: number }> {
  const about = ledger.subjects.at(-1);
  if (about === undefined) throw new Error("the generated ledger has no refund of the first partner");
  const { db } = ledger.worker;
  const asked: D1PreparedStatement[] = [];
  // The query builder requests raw rows, which have no metadata. So the same statements run again to get the metadata.
  const recording = {
    prepare: (sql: string) => {
      const statement = db.prepare(sql);
      return {
        bind: (...values: unknown[]) => {
          const bound = statement.bind(...values);
          asked.push(bound);
          return bound;
        },
      };
    },
    batch: (statements: D1PreparedStatement[]) => db.batch(statements),
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the two methods that the query builder calls
  const recorded = connectCell(recording as unknown as D1Database);
  const data = new PartnerData(caller, () => ({ db: recorded }));
  const shown = await question.ask({ data, snapshotBucket: ledger.worker.snapshots }, about);
  const results = await Promise.all(asked.map((statement) => statement.all()));
  return { read: results.reduce((sum, { meta }) => sum + meta.rows_read, 0), shown };
}
