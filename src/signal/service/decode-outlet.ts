import type { Outlet } from '../../broker/outlet.ts';
import type { Staging } from '../../broker/staging.ts';
import type { WindowBounds } from '../../broker/window.ts';
import type { PlanSet } from '../live/plan-set.ts';
import type { SampleHub } from '../live/sample-hub.ts';

/** Offers every event to the signal plans. */
export class DecodeOutlet implements Outlet {
  readonly kind = 'decode';
  readonly isReady = true;
  readonly #plans: PlanSet;
  readonly #samples: SampleHub;
  readonly #onEnded: () => void;
  #hasTaken = false;

  /** `onEnded` is told when no more events come although the subscription was not closed. */
  constructor(plans: PlanSet, samples: SampleHub, onEnded: () => void) {
    this.#plans = plans;
    this.#samples = samples;
    this.#onEnded = onEnded;
  }

  record({ view }: Staging, offset: number): boolean {
    if (this.#plans.take(view, offset)) this.#hasTaken = true;
    return true;
  }

  gap(_bounds: WindowBounds, missed: number | null): void {
    this.#plans.missed(missed ?? 0);
    this.#hasTaken = true;
  }

  flush(): void {
    if (!this.#hasTaken) return;
    this.#hasTaken = false;
    this.#samples.wake();
  }

  end(): void {
    this.#onEnded();
  }
}
