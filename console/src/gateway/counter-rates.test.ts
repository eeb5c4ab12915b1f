import { describe, expect, it } from 'vitest';
import type { GatewayInstance } from '../api/client.ts';
import { CounterRates, ratedCounters } from './counter-rates.ts';

const counts = (sent: number): GatewayInstance =>
  ({
    ...Object.fromEntries(ratedCounters.map((name) => [name, 0])),
    sent,
  }) as unknown as GatewayInstance;

describe('CounterRates', () => {
  it('tells the growth a second, once there are two readings', () => {
    const rates = new CounterRates();
    rates.take(counts(10), 1000);
    expect(rates.of('sent')).toBeNull();
    rates.take(counts(40), 3000);
    expect([rates.of('sent'), rates.of('failed')]).toEqual([15, 0]);
  });

  it('does not take readings that came together for growth', () => {
    const rates = new CounterRates();
    rates.take(counts(10), 1000);
    rates.take(counts(20), 1010);
    expect(rates.of('sent')).toBeNull();
    rates.take(counts(30), 2000);
    expect(rates.of('sent')).toBe(20);
  });

  it('never falls, also where counters begin anew', () => {
    const rates = new CounterRates();
    rates.take(counts(100), 0);
    rates.take(counts(3), 1000);
    expect(rates.of('sent')).toBe(0);
  });
});
