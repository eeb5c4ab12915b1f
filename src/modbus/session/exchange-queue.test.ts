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
            const exchange = new RecordedExchange(1, readRequest('coil', 0, 1), all.length);
            all.push(exchange);
            list.push(exchange);
            queue.push(exchange);
          } else if (doing === 'shift') expect(queue.shift()).toBe(list.shift());
          else if (doing === 'sift') {
            const isWanted = (exchange: Exchange) => exchange.timeoutMs % 3 === 0;
            expect(queue.takeAll(isWanted)).toEqual(list.filter(isWanted));
            list = list.filter((exchange) => !isWanted(exchange));
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
});
