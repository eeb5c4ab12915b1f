import type { Clock, Timer } from './clock.ts';
import { ClockLead } from './clock-lead.ts';

const originReadings = 32;

/**
 * `performance.now` counts from the start of its own thread; `process.hrtime` is the machine's
 * monotonic clock in every thread. The difference is constant, so it is measured once here and the
 * hot path stays free of the array or BigInt that hrtime allocates.
 */
const measureOriginUs = (): number => {
  const lead = new ClockLead({
    readUs: () => Number(process.hrtime.bigint()) / 1000,
    referenceUs: () => performance.now() * 1000,
  });
  lead.measure(originReadings);
  return lead.us;
};

/** `Date.now` has whole milliseconds: a better lead needs the end of one. */
const dateStepUs = 1000;
const anchorBracketUs = 2;
/** Most machines need one millisecond step; emulated or busy ones need many. */
const maxAnchorUs = 30 * dateStepUs;
const maxAnchorReadings = 100_000;

const measureAnchor = (monotonicUs: () => number): ClockLead => {
  const readUs = (): number => Date.now() * 1000;
  const lead = new ClockLead({ readUs, referenceUs: monotonicUs, resolutionUs: dateStepUs });
  const endUs = monotonicUs() + maxAnchorUs;
  lead.measure(1);
  for (let left = maxAnchorReadings; left > 0; left--) {
    if (lead.bracketUs <= anchorBracketUs || monotonicUs() >= endUs) break;
    lead.measure(1);
  }
  return lead;
};

export class SystemClock implements Clock {
  readonly #originUs = measureOriginUs();
  readonly unixOffsetUs: number;
  readonly unixBracketUs: number;

  /** Threads of one daemon share the first one's anchor, so that their stamps agree exactly. */
  constructor(unixOffsetUs?: number) {
    const anchor = unixOffsetUs === undefined ? measureAnchor(() => this.monotonicUs()) : undefined;
    this.unixOffsetUs = anchor?.us ?? unixOffsetUs ?? 0;
    this.unixBracketUs = anchor?.bracketUs ?? 0;
  }

  monotonicUs(): number {
    return performance.now() * 1000 + this.#originUs;
  }

  unixUs(): number {
    return Math.floor(this.monotonicUs() + this.unixOffsetUs);
  }

  after(delayMs: number, callback: () => void): Timer {
    const handle = setTimeout(callback, delayMs);
    return { cancel: () => clearTimeout(handle) };
  }
}
