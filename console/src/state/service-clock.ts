import { answeredAt, health } from './connection.ts';

/** Larger differences mean that the clocks have drifted; smaller ones are network delay. */
const toleranceUs = 50_000;

export class ServiceClock {
  #aheadUs: number | null = null;

  take(serviceUs: number, localMs: number): void {
    const aheadUs = serviceUs - localMs * 1000;
    if (this.#aheadUs === null || Math.abs(aheadUs - this.#aheadUs) > toleranceUs) {
      this.#aheadUs = aheadUs;
    }
  }

  nowUs(localMs: number): number {
    return localMs * 1000 + (this.#aheadUs ?? 0);
  }
}

const clock = new ServiceClock();
answeredAt.subscribe((at) => {
  const answer = health.peek();
  if (answer && at) clock.take(answer.time_us, at.getTime());
});

export const serviceNowUs = (): number => clock.nowUs(Date.now());
