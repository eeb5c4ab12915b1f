import { describe, expect, it } from 'vitest';
import { writeRegisterRequest, writeRegistersRequest } from '../../modbus/pdu/make-request.ts';
import { readRegisters, writeRegisters } from '../../modbus/server/testing/held-data.ts';
import type { WriteStep } from '../modbus/task-writes.ts';
import { type Cut, UnitRig } from './testing/unit-rig.ts';

/** Five requests: a write, bits of two words around a whole word, and another write. */
const steps: readonly WriteStep[] = [
  { kind: 'write', request: writeRegisterRequest(1, 0x1111) },
  {
    kind: 'read_modify_write',
    reads: [
      { kind: 'read_registers', function: 3, address: 10, count: 1 },
      { kind: 'read_registers', function: 3, address: 12, count: 1 },
    ],
    address: 10,
    masks: Uint16Array.of(0x000f, 0xffff, 0xf000),
    words: Uint16Array.of(0x0005, 0x2222, 0x3000),
  },
  { kind: 'write', request: writeRegistersRequest(20, Uint16Array.of(4, 5)) },
];

/** Register contents after this many requests. */
const registersAfter = (requests: number) => ({
  1: requests > 0 ? [0x1111] : [0],
  10: requests > 3 ? [0xfff5, 0x2222, 0x3fff] : [0xffff, 0, 0xffff],
  20: requests > 4 ? [4, 5] : [0, 0],
});

/** Writes a group over a cut link, and returns the events of half a minute. */
const cutAt = (kind: 'tcp' | 'rtu', cut: Cut | undefined) => {
  const rig = new UnitRig(kind);
  writeRegisters(rig.model(), 'holding', 10, Uint16Array.of(0xffff, 0, 0xffff));
  rig.cut = cut;
  const { link, owner } = rig.link();
  link.start();
  expect(link.submit(3, steps)).toBeNull();
  rig.advanceMs(30_000);
  const lengthOf = (hex: string): number => hex.length / 2;
  return {
    settled: owner.reported.filter(([name]) => name === 'settled').map(([, , error]) => error),
    started: owner.reported.filter(([name]) => name === 'started').length,
    events: owner.reported.map(([name]) => name).filter((name) => name !== 'started'),
    done: rig.requests.length,
    lengths: rig.written.map(lengthOf),
    registers: {
      1: [...readRegisters(rig.model(), 'holding', 1, 1)],
      10: [...readRegisters(rig.model(), 'holding', 10, 3)],
      20: [...readRegisters(rig.model(), 'holding', 20, 2)],
    },
    state: link.state(),
  };
};

const answerLengths = {
  tcp: [12, 11, 11, 12, 12],
  rtu: [8, 7, 7, 8, 8],
};

describe.each(['tcp', 'rtu'] as const)('a group of writes over %s', (kind) => {
  const whole = cutAt(kind, undefined);

  it('is done where nothing is cut', () => {
    expect(whole.settled).toEqual([null]);
    expect(whole.lengths).toHaveLength(5);
    expect(whole.registers).toEqual(registersAfter(5));
  });

  it('fails once where the link is cut, at any byte, and is not taken up again', () => {
    const places = (of: Cut['of'], lengths: readonly number[]): Cut[] =>
      lengths.flatMap((length, index) =>
        Array.from({ length }, (_, bytes) => ({ of, index, bytes })),
      );
    const cuts = [...places('request', whole.lengths), ...places('answer', answerLengths[kind])];
    expect(cuts.length).toBeGreaterThan(80);
    for (const cut of cuts) {
      const { settled, started, events, lengths, done, registers, state } = cutAt(kind, cut);
      // The unit executes whole requests only, even if the response is lost.
      const doneRequests = cut.of === 'request' ? cut.index : cut.index + 1;
      expect({ cut, settled, started, done, registers, lengths: lengths.length }).toEqual({
        cut,
        settled: ['modbus_unreachable'],
        started: 1,
        done: doneRequests,
        registers: registersAfter(doneRequests),
        lengths: cut.index + 1,
      });
      // The loss is reported before the outcomes it causes, and the link is opened again.
      expect({ cut, events }).toEqual({ cut, events: ['opened', 'lost', 'settled', 'opened'] });
      expect(state).toEqual({ connected: true, error: null });
    }
  });
});
