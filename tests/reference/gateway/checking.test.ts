import { describe, expect, it } from 'vitest';
import { layoutOf, protect } from './e2e.ts';
import { frame, receiving, rounds, run, snapshot, start, stop } from './small-scripts.ts';

describe('checks', () => {
  const codec = { id: 'check', kind: 'e2e', profile: '5', data_id: 0x1234 } as const;
  const project = {
    ...receiving,
    codecs: [...receiving.codecs, codec],
    bindings: [{ ...receiving.bindings[0], start_bit: 32 }],
    e2e: [{ id: 'check', message: 'rx', direction: 'check', codec: 'check' }],
  };
  const checked = (ms: number, counter: bigint, value: number, isBroken = false) => {
    const data = new Uint8Array(8);
    data[4] = value;
    protect(layoutOf(codec, 8), data, counter);
    if (isBroken) data[7] = 1;
    return frame(ms, Buffer.from(data).toString('hex'));
  };

  it('let good frames through and count the others', () => {
    const result = run(project, [
      ...[start(), checked(1, 5n, 1), checked(2, 5n, 2), rounds(3), snapshot(3)],
      ...[
        checked(4, 6n, 3, true),
        rounds(5),
        snapshot(5),
        checked(6, 6n, 4),
        rounds(7),
        snapshot(7),
      ],
    ]);
    const states = [0, 1, 2].map((place) => result.state('input', place));
    expect(states).toEqual(['1 good', '1 e2e_error', '4 good']);
    expect(result.snapshots.map(({ rejected }) => rejected.e2e)).toEqual([1, 2, 2]);
  });

  it('fail while frames arrive, however old the last good one is, until there is silence', () => {
    const result = run(project, [
      ...[start(), checked(1, 5n, 1), checked(50, 6n, 2, true), rounds(60), snapshot(60)],
      ...[checked(120, 6n, 3, true), rounds(121), snapshot(121), rounds(219), snapshot(219)],
      ...[rounds(220), snapshot(220)],
    ]);
    const states = [0, 1, 2, 3].map((place) => result.state('input', place));
    expect(states).toEqual(['1 e2e_error', '1 e2e_error', '1 e2e_error', '1 timeout']);
  });

  it('fail with repeated frames once the last good one is too old', () => {
    const result = run(project, [
      ...[start(), checked(1, 5n, 1), checked(90, 5n, 2), rounds(100), snapshot(100)],
      ...[rounds(101), snapshot(101), rounds(190), snapshot(190)],
    ]);
    const states = [0, 1, 2].map((place) => result.state('input', place));
    expect(states).toEqual(['1 good', '1 e2e_error', '1 timeout']);
  });

  it('say so when nothing was ever good, and begin anew at each start', () => {
    const result = run(project, [
      ...[start(), checked(1, 5n, 1, true), rounds(2), snapshot(2)],
      ...[stop(3), start(2000), snapshot(2000), checked(2001, 5n, 9), rounds(2002), snapshot(2002)],
    ]);
    const states = [0, 1, 2].map((place) => result.state('input', place));
    expect(states).toEqual(['null e2e_error', 'null initial', '9 good']);
  });

  it('of a PDU leave the rest of the message alone', () => {
    const [message] = receiving.messages;
    const other = { ...receiving.bindings[0], id: 'other.rx', signal: 'other', start_bit: 64 };
    const partly = {
      ...project,
      signals: [receiving.signals[0], { ...receiving.signals[0], id: 'other' }],
      messages: [{ ...message, length: 12, fd: true }],
      pdus: [{ id: 'pdu', message: 'rx', byte_offset: 0, length: 8 }],
      bindings: [
        { id: 'in.rx', signal: 'input', direction: 'rx', pdu: 'pdu', codec: 's8', start_bit: 32 },
        other,
      ],
      e2e: [{ id: 'check', pdu: 'pdu', direction: 'check', codec: 'check' }],
    };
    const result = run(partly, [
      ...[start(), frame(1, '000000000700000009000000'), rounds(2), snapshot(2)],
    ]);
    expect([result.state('input'), result.state('other')]).toEqual(['null e2e_error', '9 good']);
  });
});
