import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ModbusClient } from '../../modbus/client/modbus-client.ts';
import { encodeRequest } from '../../modbus/pdu/encode-request.ts';
import { readRequest, writeRegisterRequest } from '../../modbus/pdu/make-request.ts';
import type { ModbusRequest } from '../../modbus/pdu/requests.ts';
import type { Exchange } from '../../modbus/session/exchange.ts';
import type { ModbusSession } from '../../modbus/session/modbus-session.ts';
import { rule } from '../engine/testing/rules.ts';
import type { WriteStep } from '../modbus/task-writes.ts';
import { RecordedOwner, startPolls, UnitRig } from './testing/unit-rig.ts';

type Asked = readonly [unit: number, pdu: string];

const pduOf = (request: ModbusRequest): string => {
  const bytes = new Uint8Array(260);
  return Buffer.from(bytes.subarray(0, encodeRequest(bytes, 0, request))).toString('hex');
};

const write = (address: number, value: number): WriteStep => ({
  kind: 'write',
  request: writeRegisterRequest(address, value),
});

/**
 * All sources of requests: a gateway instance with a group of two writes or a poll, a command,
 * a poll of a command.
 */
const step = fc.oneof(
  fc.record({ does: fc.constant('group' as const), unit: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ does: fc.constant('command' as const), unit: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ does: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 30 }) }),
);

/** Requests of a session: each exchange in the order of arrival, and its frames on the line. */
class OrderRig extends UnitRig {
  readonly came: Asked[] = [];
  readonly #seconds = new Map<string, string>();

  /** Records exchanges when they are queued, before they can be sent. */
  listenTo(session: ModbusSession): void {
    const submit = session.submit.bind(session);
    session.submit = (exchange: Exchange) => {
      const pdu = pduOf(exchange.request);
      this.came.push([exchange.unit, pdu]);
      const second = this.#seconds.get(pdu);
      if (second !== undefined) this.came.push([exchange.unit, second]);
      submit(exchange);
    };
  }

  /** Two writes without a request in between. */
  pair(address: number, value: number): WriteStep[] {
    const requests = [writeRegisterRequest(address, value), writeRegisterRequest(1000, value)];
    this.#seconds.set(pduOf(requests[0] as ModbusRequest), pduOf(requests[1] as ModbusRequest));
    return [write(address, value), write(1000, value)];
  }
}

const runSteps = (
  rig: OrderRig,
  steps: readonly { does: string; unit?: number; ms?: number }[],
): void => {
  const links = [1, 2, 3].map((unit) => rig.link(unit, new RecordedOwner(), 20));
  const { session } = rig.link();
  rig.listenTo(session);
  for (const [place, { link }] of links.entries()) {
    startPolls(link, [
      { poll: 0, periodMs: 13 + place, request: readRequest('holding', 50 + place, 1) },
    ]);
  }
  const polled = rig.links.poll(
    session,
    { unit: 2, timeoutMs: 20, periodMs: 17, request: readRequest('input', 7, 1) },
    { answered: () => undefined, failed: () => undefined, missed: () => undefined },
  );
  rig.advanceMs(1);
  for (const [number, { does, unit = 1, ms = 1 }] of steps.entries()) {
    if (does === 'wait') rig.advanceMs(ms);
    else if (does === 'group') links[unit - 1]?.link.submit(0, rig.pair(100 + number, number));
    else {
      const client = new ModbusClient(session, unit, 20);
      client.read('holding', 200 + number, 1).catch(() => undefined);
    }
  }
  for (const { link } of links) link.stop();
  polled.stop();
  rig.advanceMs(20_000);
};

/** Polls stopped before their turn are not sent. */
const withoutStopped = (came: readonly Asked[], asked: readonly Asked[]): Asked[] => {
  const counts = new Map<string, number>();
  for (const one of asked) counts.set(one.join(), (counts.get(one.join()) ?? 0) + 1);
  return came.filter((one) => {
    const left = counts.get(one.join()) ?? 0;
    counts.set(one.join(), left - 1);
    return left > 0;
  });
};

describe('the queue of a link', () => {
  it(
    rule('shared session', 'serves groups, polls and commands of all units in the order they came'),
    () => {
      fc.assert(
        fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
          const rig = new OrderRig('tcp', [1, 2, 3]);
          runSteps(rig, steps);
          expect(rig.requests).toEqual(withoutStopped(rig.came, rig.requests));
          const isPoll = ([, pdu]: Asked): boolean => /^0[34]00(3|0)/.test(pdu);
          const rest = (list: readonly Asked[]): readonly Asked[] =>
            list.filter((one) => !isPoll(one));
          expect(rest(rig.requests)).toEqual(rest(rig.came));
        }),
      );
    },
  );

  it('keeps the order of all that answer, and of each unit, beside one that is silent', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const rig = new OrderRig('tcp', [1, 3]);
        runSteps(rig, steps);
        const came = withoutStopped(rig.came, rig.requests);
        const live = (list: readonly Asked[]): readonly Asked[] =>
          list.filter(([unit]) => unit !== 2);
        const silent = (list: readonly Asked[]): readonly Asked[] =>
          list.filter(([unit]) => unit === 2);
        expect(live(rig.requests)).toEqual(live(came));
        expect(silent(rig.requests)).toEqual(silent(came));
      }),
    );
  });
});
