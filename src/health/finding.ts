import { errorFields } from "../core/log.ts";

/**
 * The state of one part of the service, the worst last. `warning`: it works, and an operator should look at it. `unknown`:
 * it could not be asked.
 */
export const healthStates = ["ok", "warning", "unknown", "failed"] as const;
export type HealthState = (typeof healthStates)[number];

export interface Finding {
  /** The checked part, for example `cell 01`. */
  readonly check: string;
  readonly state: HealthState;
  /** What was found. */
  readonly detail: string;
  /** What to do; null if nothing is wrong. */
  readonly cure: string | null;
  /** The operators' command that lists the rows that are meant; null if there are none. */
  readonly list: string | null;
}

export function ok(check: string, detail: string): Finding {
  return { check, state: "ok", detail, cure: null, list: null };
}

export function warning(check: string, detail: string, cure: string): Finding {
  return { check, state: "warning", detail, cure, list: null };
}

export function unknown(check: string, detail: string, cure: string): Finding {
  return { check, state: "unknown", detail, cure, list: null };
}

export function failed(check: string, detail: string, cure: string): Finding {
  return { check, state: "failed", detail, cure, list: null };
}

/** The same finding, with the command that lists its rows. */
export function listedBy(command: string, finding: Finding): Finding {
  const list = `List them: npm run ops -- ${command}`;
  return { ...finding, cure: finding.cure === null ? null : [list, finding.cure].filter(Boolean).join(". "), list: command };
}

/** The findings of a check. A check that throws becomes a failed finding, so it does not affect other checks. */
export async function findingsOf(check: string, cure: string, look: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> {
  try {
    return await look();
  } catch (thrown) {
    const { error_class, error_text } = errorFields(thrown);
    return [failed(check, `${error_class}: ${error_text}`, cure)];
  }
}

/** The worst state among some findings. */
export function worstOf(findings: readonly Finding[]): HealthState {
  const rank = Math.max(0, ...findings.map(({ state }) => healthStates.indexOf(state)));
  return healthStates[rank] ?? "ok";
}
