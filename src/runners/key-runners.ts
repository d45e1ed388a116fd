import type { CellCode } from "../core/cell-code.ts";
import { MINUTE, SECOND } from "../core/clock.ts";
import { isPartnerMovedError } from "../core/partner-moved.ts";
import { withKeys } from "../db/kind-rows.ts";
import { pullRows } from "../db/pull-rows.ts";
import type { CellDeps, Deps } from "../deps.ts";
import { errorResponse, type KeyRequest, type KeyResponse } from "../idempotency/answer.ts";
import { KeyRunner } from "../idempotency/runner.ts";
import { readRecord } from "../idempotency/store.ts";
import { findLocation } from "../partners/read-location.ts";
import { workflows } from "./workflows.ts";

/** How long a request of the first generation waits for a move of its partner, and the interval of its polls. */
const LONGEST_WAIT = 1 * MINUTE;
const POLL_INTERVAL = SECOND / 4;

/** The runners of one key, one for each cell that had its partner's data during the object's life. Usually one. */
export class KeyRunners {
  readonly #deps: Deps;
  readonly #runners = new Map<CellCode, KeyRunner<CellDeps>>();
  /** Cells to which the record was pulled, if an earlier cell had it. */
  readonly #complete = new Set<CellCode>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  #runnerIn(cell: CellCode): KeyRunner<CellDeps> {
    const runner = this.#runners.get(cell) ?? new KeyRunner(this.#deps.inCell(cell));
    this.#runners.set(cell, runner);
    return runner;
  }

  /** Compensates the failed attempts of this key if this is due. Returns whether compensation was done. */
  compensate(operation: string, recordId: string, cell: CellCode): Promise<boolean> {
    return this.#runnerIn(cell).compensate(workflowOf(operation), recordId);
  }

  /**
   * Pulls the record to the partner's current cell if an earlier cell has it: a key is valid as long as its record is
   * kept, even after a split of its partner. One D1 round trip to each cell in parallel, once in the life of the
   * object.
   */
  async #pullRecord({ recordId, partnerId }: KeyRequest, cell: CellCode, earlier: readonly CellCode[]): Promise<void> {
    if (earlier.length === 0 || this.#complete.has(cell)) return;
    const to = this.#deps.inCell(cell).db;
    const databases = [to, ...earlier.map((code) => this.#deps.inCell(code).db)];
    const [known, ...before] = await Promise.all(databases.map(async (db) => ({ db, record: await readRecord(db, recordId) })));
    const found = known?.record === undefined ? before.find(({ record }) => record !== undefined) : undefined;
    if (found !== undefined) await pullRows({ from: found.db, to }, "idempotency_records", partnerId, (kind) => withKeys(kind, [recordId]));
    this.#complete.add(cell);
  }

  /** Where the record is, for a request that may move nothing: the current cell, if none has it. */
  async #cellOfRecord({ recordId }: KeyRequest, cell: CellCode, earlier: readonly CellCode[]): Promise<CellCode> {
    if (earlier.length === 0 || this.#complete.has(cell)) return cell;
    const all = [cell, ...earlier];
    const found = await Promise.all(all.map((code) => readRecord(this.#deps.inCell(code).db, recordId)));
    return all[found.findIndex((record) => record !== undefined)] ?? cell;
  }

  /**
   * If the old cell refuses writes, the request is handled in the current cell. During a move, which takes seconds, the
   * operation is in progress; a generation without such an error waits. A refusal writes nothing, and the old cell has
   * no records any more, so a refusal counts only after the cell is confirmed as the current one.
   */
  async handle(request: KeyRequest): Promise<KeyResponse> {
    const { clock, directory } = this.#deps;
    const workflow = workflowOf(request.operation);
    const { whileOtherRuns } = workflow.generation.forKey(request.key);
    const giveUpAt = clock.now() + LONGEST_WAIT;
    for (let { cell, earlier = [] } = request; ; ) {
      let refusal: KeyResponse | null = null;
      try {
        const at = request.isDryRun === true ? await this.#cellOfRecord(request, cell, earlier) : cell;
        if (request.isDryRun !== true) await this.#pullRecord(request, cell, earlier);
        const answer = await this.#runnerIn(at).handle(workflow, request);
        if (answer.ok || answer.isRefusal !== true) return answer;
        refusal = answer;
      } catch (thrown) {
        if (!isPartnerMovedError(thrown)) throw thrown;
      }
      const location = await findLocation(directory.$client, request.partnerId);
      if (location !== null && location.cell !== cell) {
        cell = location.cell;
        earlier = location.earlier.map((one) => one.cell);
        continue;
      }
      if (refusal !== null) return refusal;
      if (whileOtherRuns === "refuse") return errorResponse({ kind: "operation_in_progress" });
      if (clock.now() >= giveUpAt) return errorResponse({ kind: "internal" });
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL));
    }
  }
}

function workflowOf(operation: string) {
  const work = workflows.get(operation);
  if (work === undefined) throw new Error(`unknown workflow: ${operation}`);
  return work;
}
