/**
 * Time that passes only while nothing happens: a call of a binding or of the sandbox takes one millisecond, however
 * slow the machine is. When everybody waits, it goes on at once to the moment that the next one waits for. So a wait of
 * 25 seconds takes some milliseconds, and a busy machine changes nothing.
 *
 * A timer looks at the time itself, by real waits of its own request: the runtime ends a request that waits for
 * nothing of its own. It does not use setTimeout, which the test runner wraps in something that takes longer than a look.
 */
interface Waiting {
  readonly due: number;
  /** The virtual time that it waits in. What still waits of an earlier one waits in real time. */
  readonly era: number;
  /** How often others looked since this one did. A request that was aborted never looks again. */
  missed: number;
}

/** So many looks must find nothing at work before time goes on. */
const QUIET_LOOKS = 4;
/** After so many looks of others, a timer is one of an aborted request; what is at work then, too. */
const GONE_AFTER = 3_000;

const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout, now: Date.now };

let now: number | null = null;
let era = 0;
let waiting: Waiting[] = [];
const timers = new Map<number, Waiting>();
let lastId = 0;
let atWork = 0;
let quietLooks = 0;
let looksAtWork = 0;

/** Holds the virtual time while work is pending: it takes one millisecond, however slow the machine is. */
export async function takesOneMillisecond<Result>(work: () => Promise<Result>): Promise<Result> {
  begin();
  try {
    return await work();
  } finally {
    end();
  }
}

/** A wait within {@link takesOneMillisecond}: time goes on during it. */
export async function waitVirtually(milliseconds: number): Promise<void> {
  end();
  await new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
  begin();
}

function begin(): void {
  // Two things that follow one another never have one timestamp, as on a real machine.
  if (now !== null) now += 1;
  atWork += 1;
  quietLooks = 0;
  looksAtWork = 0;
}

function end(): void {
  atWork = Math.max(0, atWork - 1);
  quietLooks = 0;
}

/**
 * Starts virtual time at the present. Gives what jumps ahead by so many milliseconds, without the timers between.
 * Undone by {@link endVirtualTime}.
 */
export function virtualTime(): (milliseconds: number) => void {
  now = Date.now();
  era += 1;
  Date.now = () => now ?? real.now();
  Object.assign(globalThis, { setTimeout: setVirtualTimeout, clearTimeout: clearVirtualTimeout });
  return (milliseconds) => {
    now = (now ?? real.now()) + milliseconds;
  };
}

/** Ends virtual time. What still waits, waits for as long as it would have. */
export function endVirtualTime(): void {
  if (now === null) return;
  now = null;
  Date.now = real.now;
  Object.assign(globalThis, { setTimeout: real.setTimeout, clearTimeout: real.clearTimeout });
  waiting = [];
}

function setVirtualTimeout(task: () => void, wait = 0): number {
  const timer: Waiting = { due: Date.now() + Math.max(0, Math.ceil(wait)), era, missed: 0 };
  const started = real.now();
  waiting.push(timer);
  lastId -= 1;
  const id = lastId;
  timers.set(id, timer);
  const look = () => {
    if (!timers.has(id)) return;
    if (now === null || timer.era !== era ? real.now() - started >= wait : isDue(timer)) {
      forget(id);
      task();
    } else void scheduler.wait(1).then(look);
  };
  void scheduler.wait(0).then(look);
  return id;
}

function clearVirtualTimeout(id?: number): void {
  if (id !== undefined && id < 0) forget(id);
  else real.clearTimeout(id);
}

function forget(id: number): void {
  const timer = timers.get(id);
  timers.delete(id);
  waiting = waiting.filter((other) => other !== timer);
}

/** One look: counts it, and moves time on to this timer if nothing is at work and no other one comes before. */
function isDue(timer: Waiting): boolean {
  timer.missed = 0;
  for (const other of waiting) if (other !== timer) other.missed += 1;
  waiting = waiting.filter(({ missed }) => missed < GONE_AFTER);
  looksAtWork = atWork > 0 ? looksAtWork + 1 : 0;
  if (looksAtWork > GONE_AFTER) atWork = 0;
  quietLooks = atWork > 0 ? 0 : quietLooks + 1;
  const isNext = waiting.every(({ due }) => due >= timer.due);
  if (isNext && quietLooks > QUIET_LOOKS * waiting.length) {
    now = Math.max(now ?? 0, timer.due);
    quietLooks = 0;
  }
  return (now ?? 0) >= timer.due;
}
