import type { Clock, Timer } from './clock.ts';
import { ClockLead } from './clock-lead.ts';

const originReadings = 32;

/**
 * `performance.now` counts from the start of its own thread. `process.hrtime` is the monotonic
 * clock of the machine, but allocates. Their difference is constant and is measured once.
 */
const measureOriginUs = (): number => {
  const lead = new ClockLead({
    readUs: () => Number(process.hrtime.bigint()) / 1000,
    referenceUs: () => performance.now() * 1000,
  });
  lead.measure(originReadings);
  return lead.us;
};

/**
 * `Date.now` has a resolution of one millisecond, so the anchor needs a reading at the end of one.
 */
const dateStepUs = 1000;
const anchorBracketUs = 2;
/** Most machines need one millisecond step; emulated or busy ones need several. */
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

  /**
   * All threads of the daemon use the anchor of the first one, so their timestamps agree exactly.
   */
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
