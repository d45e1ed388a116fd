import { runtimeCpuSeconds } from "./cpu.ts";

export interface Workload {
  readonly name: string;
  readonly requests: number;
  readonly send: () => Promise<unknown>;
}

/** CPU seconds and elapsed milliseconds for one request; CPU is null if the machine does not provide it. */
export interface Sample {
  readonly cpu: number | null;
  readonly time: number;
}

/** Sends a workload's requests with the given concurrency and returns the average cost of one. */
export async function sample({ requests, send }: Workload, concurrency: number): Promise<Sample> {
  const cpuBefore = runtimeCpuSeconds();
  const startedAt = performance.now();
  let sent = 0;
  const worker = async () => {
    while (sent < requests) {
      sent += 1;
      await send();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  const cpuAfter = runtimeCpuSeconds();
  return {
    cpu: cpuBefore === null || cpuAfter === null ? null : (cpuAfter - cpuBefore) / requests,
    time: (performance.now() - startedAt) / requests,
  };
}

/** The ratios of two samples; null if a value is missing. */
export function ratios(own: Sample | undefined, base: Sample | undefined): { readonly cpu: number | null; readonly time: number | null } {
  return { cpu: quotient(own?.cpu, base?.cpu), time: quotient(own?.time, base?.time) };
}

function quotient(left: number | null | undefined, right: number | null | undefined): number | null {
  return left == null || right == null || right === 0 ? null : left / right;
}

/** The median of the values that are not null. */
export function median(values: readonly (number | null)[], decimals = 1): number | null {
  const sorted = values.filter((value) => value !== null).toSorted((left, right) => left - right);
  const middle = sorted[Math.floor(sorted.length / 2)];
  return middle === undefined ? null : Number(middle.toFixed(decimals));
}
