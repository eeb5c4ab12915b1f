import { describe, expect, it } from 'vitest';
import { ServiceClock } from './service-clock.ts';

describe('ServiceClock', () => {
  it('goes on between the answers of the service', () => {
    const clock = new ServiceClock();
    clock.take(7_000_000, 1000);
    expect(clock.nowUs(1500)).toBe(7_500_000);
  });

  it('does not jump with the time that answers take on their way', () => {
    const clock = new ServiceClock();
    clock.take(7_000_000, 1000);
    clock.take(8_000_000 - 30_000, 2000);
    expect(clock.nowUs(2000)).toBe(8_000_000);
  });

  it('follows a clock that was set', () => {
    const clock = new ServiceClock();
    clock.take(7_000_000, 1000);
    clock.take(99_000_000, 2000);
    expect(clock.nowUs(3000)).toBe(100_000_000);
  });

  it('trusts the local clock before the first answer', () => {
    expect(new ServiceClock().nowUs(5)).toBe(5000);
  });
});
