import { vi } from "vitest";

/** The log lines of some work, as they were written. */
export async function loggedBy(work: () => Promise<unknown>): Promise<string[]> {
  const lines: string[] = [];
  const spies = (["log", "error"] as const).map((kind) => vi.spyOn(console, kind).mockImplementation((line: string) => lines.push(line)));
  await work();
  for (const spy of spies) spy.mockRestore();
  return lines;
}
