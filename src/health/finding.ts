import { errorFields } from "../core/log.ts";

/** How one part of the service is. `warning`: it works, and somebody should look. */
export const healthStates = ["ok", "warning", "failed"] as const;
export type HealthState = (typeof healthStates)[number];

export interface Finding {
  /** What was looked at, for example `cell 01`. */
  readonly check: string;
  readonly state: HealthState;
  /** What was found. */
  readonly detail: string;
  /** What to do; null where nothing is wrong. */
  readonly cure: string | null;
}

export function ok(check: string, detail: string): Finding {
  return { check, state: "ok", detail, cure: null };
}

export function warning(check: string, detail: string, cure: string): Finding {
  return { check, state: "warning", detail, cure };
}

export function failed(check: string, detail: string, cure: string): Finding {
  return { check, state: "failed", detail, cure };
}

/** The findings of a check, or that it failed. No check fails another. */
export async function findingsOf(check: string, cure: string, look: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> {
  try {
    return await look();
  } catch (thrown) {
    const { error_class, error_text } = errorFields(thrown);
    return [failed(check, `${error_class}: ${error_text}`, cure)];
  }
}

/** The worst of some states. */
export function worstOf(findings: readonly Finding[]): HealthState {
  const rank = Math.max(0, ...findings.map(({ state }) => healthStates.indexOf(state)));
  return healthStates[rank] ?? "ok";
}
