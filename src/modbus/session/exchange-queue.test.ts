import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRequest } from '../pdu/make-request.ts';
import type { Exchange } from './exchange.ts';
import { ExchangeQueue } from './exchange-queue.ts';
import { RecordedExchange } from './testing/session-rig.ts';

describe('ExchangeQueue', () => {
  it('agrees with a list after any pushes, shifts and removals', () => {
    const step = fc.oneof(
      { weight: 5, arbitrary: fc.constant('push' as const) },
      { weight: 3, arbitrary: fc.constant('shift' as const) },
      { weight: 2, arbitrary: fc.nat(40) },
      { weight: 1, arbitrary: fc.constant('sift' as const) },
      { weight: 1, arbitrary: fc.constant('behind' as const) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const queue = new ExchangeQueue(50);
        let list: RecordedExchange[] = [];
        const all: RecordedExchange[] = [];
        for (const doing of steps) {
          if (doing === 'push') {
            expect(queue.isFull).toBe(list.length === 50);
            if (queue.isFull) continue;
            const unit = 1 + (all.length % 3);
            const exchange = new RecordedExchange(unit, readRequest('coil', 0, 1), all.length);
            all.push(exchange);
            list.push(exchange);
            queue.push(exchange, 10 * exchange.timeoutMs);
          } else if (doing === 'shift') {
            const exchange = queue.shift();
            expect(exchange).toBe(list.shift());
            if (exchange) expect(queue.takenSinceUs).toBe(10 * exchange.timeoutMs);
          } else if (doing === 'behind') {
            queue.moveBehind(2);
            list.sort((one, other) => Number(one.unit === 2) - Number(other.unit === 2));
          } else if (doing === 'sift') {
            const isWanted = (exchange: Exchange, sinceUs: number) =>
              sinceUs === 10 * exchange.timeoutMs && exchange.timeoutMs % 4 === 0;
            expect(queue.takeAll(isWanted)).toEqual(
              list.filter(({ timeoutMs }) => timeoutMs % 4 === 0),
            );
            list = list.filter((exchange) => exchange.timeoutMs % 4 !== 0);
          } else {
            const exchange = all[doing];
            if (!exchange) continue;
            const place = list.indexOf(exchange);
            expect(queue.take((queued) => queued === exchange)).toBe(list[place]);
            if (place >= 0) list.splice(place, 1);
          }
          expect(queue.length).toBe(list.length);
        }
        for (const exchange of list) expect(queue.shift()).toBe(exchange);
        expect(queue.shift()).toBeUndefined();
      }),
      { seed: 1, numRuns: 100 },
    );
  });

  it('gives out those that have waited for five seconds, or for their time-out if it is longer', () => {
    const queue = new ExchangeQueue(50);
    const [brief, long] = [100, 8000].map(
      (timeoutMs) => new RecordedExchange(1, readRequest('coil', 0, 1), timeoutMs),
    ) as [RecordedExchange, RecordedExchange];
    for (const exchange of [long, brief]) queue.push(exchange, 1_000_000);
    queue.push(brief, 1_000_001);
    expect(queue.expiryUs).toBe(6_000_000);
    expect(queue.takeExpired(6_000_000)).toEqual([[brief, 1_000_000]]);
    expect(queue.expiryUs).toBe(6_000_001);
    expect(queue.takeExpired(8_999_999)).toEqual([[brief, 1_000_001]]);
    expect(queue.takeExpired(9_000_000)).toEqual([[long, 1_000_000]]);
    expect([queue.length, queue.expiryUs]).toEqual([0, Number.POSITIVE_INFINITY]);
  });
});
