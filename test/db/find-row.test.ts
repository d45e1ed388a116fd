import { describe, expect, it } from "vitest";
import { type CellCode, cellCodeOf } from "../../src/core/cell-code.ts";
import { findAnywhere, findById } from "../../src/db/find-row.ts";

const [FIRST, SECOND, THIRD] = [cellCodeOf(1), cellCodeOf(2), cellCodeOf(3)];

interface Known {
  /** Where each partner is. */
  readonly homes: Readonly<Record<string, CellCode>>;
  /** The cells to which partners of the code have moved. */
  readonly moved: readonly CellCode[];
  /** The earlier cells of each partner, the newest first, if it was split. */
  readonly earlier?: readonly CellCode[];
}

/** Cells with the partner whose row each has, as a text; and what an isolate remembers, and what is so now. */
function world(rows: Readonly<Record<string, string | Error>>, remembered: Known, now: Known = remembered) {
  const asked: string[] = [];
  const known = ({ fresh }: { readonly fresh: boolean }) => (fresh ? now : remembered);
  const deps = {
    cells: [FIRST, SECOND, THIRD],
    inCell: (cell: CellCode) => ({ cell }),
    movedCells(_code: unknown, how: { readonly fresh: boolean }) {
      asked.push(how.fresh ? "moves, fresh" : "moves");
      return Promise.resolve(known(how).moved);
    },
    locationOf(partnerId: string, how: { readonly fresh: boolean }) {
      const cell = known(how).homes[partnerId];
      return Promise.resolve(
        cell === undefined ? null : { cell, earlier: (known(how).earlier ?? []).map((code) => ({ cell: code, until: 0 })) },
      );
    },
  };
  const find = ({ cell }: { readonly cell: CellCode }) => {
    asked.push(cell);
    const partnerId = rows[cell];
    if (partnerId instanceof Error) return Promise.reject(partnerId);
    return Promise.resolve(partnerId === undefined ? undefined : { partnerId });
  };
  return { deps, find, asked };
}

const where = async ({ deps, find }: ReturnType<typeof world>) => (await findById(deps, "01abc", find))?.cell.cell ?? null;
const at = (cell: CellCode, ...moved: CellCode[]): Known => ({ homes: { acme: cell }, moved });

describe("a row by an id of ours", () => {
  it("is in the cell where its code began, if nobody has moved", async () => {
    const found = world({ [FIRST]: "acme" }, at(FIRST));
    expect(await where(found)).toBe(FIRST);
    expect(found.asked.toSorted()).toEqual([FIRST, "moves"]);
  });

  it("is where its partner has moved, also while another cell has it still", async () => {
    expect(await where(world({ [SECOND]: "acme" }, at(SECOND, SECOND)))).toBe(SECOND);
    expect(await where(world({ [FIRST]: "acme", [SECOND]: "acme" }, at(SECOND, SECOND)))).toBe(SECOND);
    expect(await where(world({ [SECOND]: "acme", [THIRD]: "acme" }, at(THIRD, SECOND, THIRD)))).toBe(THIRD);
  });

  it("is not its copy: another partner of the code has moved there, and this one is on its way", async () => {
    expect(await where(world({ [FIRST]: "acme", [SECOND]: "acme" }, at(FIRST, SECOND)))).toBe(FIRST);
    expect(await where(world({ [SECOND]: "acme" }, at(FIRST, SECOND)))).toBeNull();
  });

  it("is in any cell of a partner that was split, in the newest that has it", async () => {
    const split = (...earlier: CellCode[]) => ({ ...at(THIRD, SECOND, THIRD), earlier });
    expect(await where(world({ [FIRST]: "acme" }, split(SECOND, FIRST)))).toBe(FIRST);
    expect(await where(world({ [FIRST]: "acme", [SECOND]: "acme" }, split(SECOND, FIRST)))).toBe(SECOND);
    expect(await where(world({ [FIRST]: "acme", [SECOND]: "acme", [THIRD]: "acme" }, split(SECOND, FIRST)))).toBe(THIRD);
    expect(await where(world({ [FIRST]: "acme" }, split(SECOND)))).toBeNull();
  });

  it("that is brought to the newest cell while it is asked for is found there", async () => {
    const { deps, find } = world({ [SECOND]: "acme" }, { ...at(SECOND, SECOND), earlier: [FIRST] });
    let calls = 0;
    // Both cells are asked before it is there, and after it has left.
    const late = async (cell: { readonly cell: CellCode }) => {
      calls += 1;
      return calls > 2 ? find(cell) : undefined;
    };
    expect((await findById(deps, "01abc", late))?.cell.cell).toBe(SECOND);
  });

  it("is found where its partner has moved just now, before this isolate knows of it", async () => {
    expect(await where(world({ [SECOND]: "acme" }, at(FIRST), at(SECOND, SECOND)))).toBe(SECOND);
    expect(await where(world({ [SECOND]: "acme" }, at(FIRST, SECOND), at(SECOND, SECOND)))).toBe(SECOND);
  });

  it("is nowhere if no cell has it, and there is no such cell", async () => {
    const nobody = world({}, at(FIRST));
    expect(await where(nobody)).toBeNull();
    expect(nobody.asked.toSorted()).toEqual([FIRST, "moves", "moves, fresh"]);
    expect(await findById(nobody.deps, "zz123", nobody.find)).toBeNull();
    expect(await findById(nobody.deps, "", nobody.find)).toBeNull();
  });

  it("is found though another cell is out of reach, and is not said to be missing because of that", async () => {
    const lost = new Error("out of reach");
    expect(await where(world({ [FIRST]: "acme", [SECOND]: lost }, at(FIRST, SECOND)))).toBe(FIRST);
    expect(await where(world({ [FIRST]: lost, [SECOND]: "acme" }, at(SECOND, SECOND)))).toBe(SECOND);
    await expect(where(world({ [SECOND]: lost }, at(FIRST, SECOND)))).rejects.toThrow(lost);
    await expect(where(world({ [FIRST]: lost }, at(FIRST)))).rejects.toThrow(lost);
  });

  it("is found in the first cell though the directory is out of reach", async () => {
    const { deps, find } = world({ [FIRST]: "acme" }, at(FIRST));
    const cutOff = { ...deps, movedCells: () => Promise.reject(new Error("out of reach")) };
    expect((await findById(cutOff, "01abc", find))?.cell.cell).toBe(FIRST);
    await expect(findById(cutOff, "01abc", () => Promise.resolve(undefined))).rejects.toThrow("out of reach");
  });
});

describe("a row by another id", () => {
  it("is where its partner is, of all cells that have it", async () => {
    const { deps, find } = world({ [FIRST]: "acme", [SECOND]: "acme" }, at(SECOND));
    expect((await findAnywhere(deps, find))?.cell.cell).toBe(SECOND);
  });

  it("is in the only cell without a question to the directory", async () => {
    const { deps, find } = world({ [FIRST]: "acme" }, { homes: {}, moved: [] });
    expect((await findAnywhere({ ...deps, cells: [FIRST] }, find))?.cell.cell).toBe(FIRST);
  });
});
