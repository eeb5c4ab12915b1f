import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../base/testing/long.ts';
import type { EcuModel } from './ecu-model.ts';
import { EcuServer } from './ecu-server.ts';
import { sid } from './services.ts';
import { SessionState } from './session-state.ts';
import { UdsExchange } from './uds-exchange.ts';
import { udsWords } from './words.ts';

const defaults = { p2Us: 50_000, p2StarUs: 5_000_000 };

const model: EcuModel = {
  dids: {
    F190: { text: 'WBABUSBAR00000001' },
    '0100': { hex: '5A', writable: true },
    '0101': { counter: 2 },
  },
  dtcs: [{ dtc: '123456', status: 0x2f, snapshot: '0101005A' }],
  security: { '1': { seed: 'DEADBEEF', key: 'CAFE' } },
  routines: { '0203': { duration_ms: 300, result: 'FF' }, '0204': { duration_ms: 12_000 } },
  memory: { address: 0, size: 64, block_length: 10 },
};

/** Bytes that requests often begin with, so that random ones reach further. */
const starts = [
  ...['1001', '1002', '1003', '1083', '1101', '22F190', '220101', '2E0100', '2701', '2702CAFE'],
  ...['31010203', '31010204', '31810203', '3400110040', '3601', '37', '3E00', '3E80'],
  ...['1902FF', '1904123456FF', '14FFFFFF', '23110004', '3D110004', '2F010003', '280301', '8502'],
];

const request = fc
  .tuple(
    fc.oneof(fc.constantFrom(...starts), fc.constant('')),
    fc.uint8Array({ maxLength: 12 }),
    fc.boolean(),
  )
  .map(([start, rest, isExact]) =>
    Uint8Array.of(...Buffer.from(start, 'hex'), ...(isExact && start !== '' ? [] : rest)),
  )
  .filter(({ length }) => length > 0);

const fault = fc.record({
  kind: fc.constantFrom('silent', 'nrc', 'silent_after_pending'),
  nrc: fc.integer({ min: 1, max: 255 }),
  count: fc.integer({ min: 1, max: 3 }),
}) as fc.Arbitrary<NonNullable<EcuModel['faults']>[number]>;

/** Times between requests. After silence, the client counts S3 from the end of P2. */
const gap = fc.oneof(
  fc.integer({ min: 0, max: 4_900_000 }),
  fc.integer({ min: 5_100_000, max: 8_000_000 }),
);

/** Lets client and server act in the order of their times until the request is over. */
const settle = (exchange: UdsExchange, server: EcuServer, startUs: number): number => {
  let nowUs = startUs;
  for (let step = 0; !exchange.isOver; step++) {
    if (step > 10_000) throw new Error('The request is never over');
    const response = server.takeResponse();
    if (response !== null) {
      exchange.began();
      exchange.response(response.payload, response.atUs);
      continue;
    }
    nowUs = Math.min(exchange.deadlineUs, server.deadlineUs);
    expect(nowUs).toBeGreaterThanOrEqual(startUs);
    expect(nowUs).toBeLessThan(Number.POSITIVE_INFINITY);
    server.expire(nowUs);
    if (nowUs >= exchange.deadlineUs && server.deadlineUs > nowUs) exchange.expire(nowUs);
  }
  return nowUs;
};

describe('a client and a server', () => {
  it('end every request, and agree on session and security', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(request, gap), { maxLength: 30 }),
        fc.boolean(),
        (requests, functional) => {
          const server = new EcuServer({ model, readSignal: () => null });
          const state = new SessionState(defaults);
          let nowUs = 0;
          for (const [payload, gapUs] of requests) {
            nowUs += gapUs;
            server.expire(nowUs);
            state.expire(nowUs);
            expect([state.session, state.securityLevel]).toEqual([
              server.session,
              server.securityLevel,
            ]);
            expect(udsWords(payload)).not.toBe('');
            const exchange = new UdsExchange({
              request: payload,
              functional,
              timers: state.timers,
            });
            state.began();
            server.request(payload, functional, nowUs);
            exchange.sent(nowUs);
            nowUs = settle(exchange, server, nowUs);
            const response = exchange.result?.responses[0]?.payload ?? null;
            // Silence where a response is due is a refusal of a functional request.
            expect(exchange.failure).toBeUndefined();
            if (response !== null)
              expect(udsWords(response)).toMatch(/^(?:Positive|Negative) response/);
            state.finished(payload, functional && response === null ? null : response, nowUs);
          }
        },
      ),
      { seed: 1, numRuns: cases(150, 500) },
    );
  });

  it('end every request of a server with faults', () => {
    fc.assert(
      fc.property(
        fc.array(request, { maxLength: 10 }),
        fc.array(fault, { maxLength: 3 }),
        (requests, faults) => {
          const server = new EcuServer({ model: { ...model, faults }, readSignal: () => null });
          let nowUs = 0;
          for (const payload of requests) {
            const exchange = new UdsExchange({
              request: payload,
              functional: false,
              timers: defaults,
            });
            server.request(payload, false, nowUs);
            exchange.sent(nowUs);
            nowUs = settle(exchange, server, nowUs);
            expect([undefined, 'no_response', 'response_pending_timeout']).toContain(
              exchange.failure,
            );
          }
        },
      ),
      { seed: 2, numRuns: cases(150, 500) },
    );
  });

  it('survive any bytes from the other side', () => {
    const payload = fc.oneof(
      fc.uint8Array({ maxLength: 20 }),
      fc
        .tuple(fc.constantFrom(...Object.values(sid)), fc.uint8Array({ maxLength: 20 }))
        .map(([service, rest]) => Uint8Array.of(service | 0x40, ...rest)),
    );
    fc.assert(
      fc.property(
        request,
        fc.array(fc.tuple(payload, fc.boolean()), { maxLength: 20 }),
        (sent, received) => {
          const exchange = new UdsExchange({ request: sent, functional: false, timers: defaults });
          const state = new SessionState(defaults);
          exchange.sent(0);
          for (const [bytes, isBroken] of received) {
            exchange.began();
            if (isBroken) exchange.broke(1);
            else exchange.response(bytes, 1);
          }
          while (!exchange.isOver) exchange.expire(exchange.deadlineUs);
          state.finished(sent, exchange.result?.responses[0]?.payload ?? null, 2);
          expect(state.session).toBeLessThan(128);
        },
      ),
      { seed: 3, numRuns: cases(300, 1000) },
    );
  });
});
