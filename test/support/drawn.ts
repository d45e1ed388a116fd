import { vi } from "vitest";

let drawn: { mockRestore: () => void } | null = null;

/** From now on, each idempotency record is counted for its day, or none is: otherwise one in 64 is, at random. */
export function counting(counts: boolean): void {
  drawAsUsual();
  const original = crypto.getRandomValues.bind(crypto);
  drawn = vi.spyOn(crypto, "getRandomValues").mockImplementation((array) => {
    if (!(array instanceof Uint8Array && array.length === 1)) return original(array as never);
    array[0] = counts ? 128 : 127;
    return array;
  });
}

export function drawAsUsual(): void {
  drawn?.mockRestore();
  drawn = null;
}
