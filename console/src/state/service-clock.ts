import { answeredAt, health } from './connection.ts';

/** Beyond this the clocks have moved against each other; below it is only the way of the answer. */
const toleranceUs = 50_000;

/** What time it is for the service, between its answers and after it is gone. */
export class ServiceClock {
  #aheadUs: number | null = null;

  /** Takes what the service said at a local time. */
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
