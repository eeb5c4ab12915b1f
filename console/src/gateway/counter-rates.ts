import type { GatewayInstance } from '../api/client.ts';

export const ratedCounters = [
  ...(['accepted', 'sent', 'failed', 'unconfirmed', 'coalesced', 'late', 'missed'] as const),
  ...(['generated', 'injected', 'unprotected', 'dropped', 'repeated', 'suppressed'] as const),
  ...(['fault_conflicts', 'cancelled_requests', 'processor_rejected_requests'] as const),
  ...(['poll_coalesced', 'poll_missed'] as const),
] as const;
export type RatedCounter = (typeof ratedCounters)[number];

type Counts = Pick<GatewayInstance, RatedCounter>;

export class CounterRates {
  #last: { readonly counts: Counts; readonly ms: number } | null = null;
  #rates: Partial<Record<RatedCounter, number>> = {};

  take(counts: Counts, ms: number): void {
    const last = this.#last;
    if (last && ms - last.ms < 200) return;
    if (last) {
      const seconds = (ms - last.ms) / 1000;
      const entries = ratedCounters.map((name) => [
        name,
        Math.max(0, counts[name] - last.counts[name]) / seconds,
      ]);
      this.#rates = Object.fromEntries(entries);
    }
    this.#last = { counts, ms };
  }

  clear(): void {
    this.#last = null;
    this.#rates = {};
  }

  of(name: RatedCounter): number | null {
    return this.#rates[name] ?? null;
  }
}
