import { describe, expect, it } from 'vitest';
import { framingFor } from './testing/scripted-transport.ts';
import { SessionRig } from './testing/session-rig.ts';

const opened = (): SessionRig => {
  const rig = new SessionRig('rtu-tcp');
  rig.transport.accepts(rig.clock);
  return rig;
};

const framing = framingFor('rtu', 'server', { frame() {}, problem() {} });
const frame = (unit: number, pdu: readonly number[]): Uint8Array => {
  const into = new Uint8Array(framing.maxLength);
  const length = framing.encode(into, 0, 0, unit, Uint8Array.from(pdu), 0, pdu.length);
  return into.slice(0, length);
};

describe('a session over RTU on a connection', () => {
  it('sends frames of a serial line, and reads an answer that the network has cut', () => {
    const rig = opened();
    const read = rig.ask(17);
    rig.advanceMs(1);
    expect(rig.written).toEqual([Buffer.from(frame(17, [3, 0, 0, 0, 1])).toString('hex')]);
    const answer = frame(17, [3, 2, 0x12, 0x34]);
    rig.transport.last.receive(answer.subarray(0, 4));
    rig.advanceMs(5);
    rig.transport.last.receive(answer.subarray(4));
    expect(read.registers).toEqual([0x1234]);
    expect(rig.transport.links).toHaveLength(1);
  });

  it('closes the connection at a time-out, and then asks the unit whether it is done', () => {
    const rig = opened();
    const slow = rig.ask(1, undefined, 100);
    rig.advanceMs(101);
    expect(slow.ending).toBe('modbus_timeout');
    expect(rig.transport.last.isClosed).toBe(true);
    const next = rig.ask(1);
    rig.advanceMs(1);
    expect(rig.transport.links).toHaveLength(2);
    // A converter passes bytes of the previous connection to the new one.
    rig.transport.last.receive(frame(1, [3, 2, 0x66, 0x66]));
    expect(next.ending).toBeUndefined();
    const [probe = ''] = rig.transport.last.written;
    expect(probe.slice(0, 8)).toBe('01080000');
    rig.transport.last.receive(Buffer.from(probe, 'hex'));
    rig.advanceMs(1);
    rig.transport.last.receive(frame(1, [3, 2, 0, 7]));
    expect(next.registers).toEqual([7]);
  });

  it('hangs up on a peer that sends without end, and then asks the unit whether it is done', () => {
    const rig = opened();
    const garbage = Buffer.alloc(4096, Buffer.of(1, 15, 0, 0, 7, 0xb0, 246));
    const flooded = rig.ask(1);
    rig.advanceMs(1);
    rig.transport.last.receive(garbage);
    rig.transport.last.receive(garbage);
    expect(flooded.ending).toBeUndefined();
    rig.transport.last.receive(garbage);
    expect(flooded.error?.details).toMatchObject({ reason: 'flooded_by_peer' });
    expect(rig.transport.last.isClosed).toBe(true);
    const next = rig.ask(1);
    rig.advanceMs(1);
    expect(rig.transport.last.written[0]?.slice(0, 8)).toBe('01080000');
    // The same happens without any request.
    rig.transport.last.receive(frame(1, [0x88, 1]));
    rig.advanceMs(1);
    rig.transport.last.receive(frame(1, [3, 2, 0, 7]));
    expect(next.registers).toEqual([7]);
    for (let count = 0; count < 3; count++) rig.transport.last.receive(garbage);
    expect(rig.transport.last.isClosed).toBe(true);
  });

  it('refuses units that no device on a serial line may have', () => {
    const rig = opened();
    for (const unit of [0, 248]) {
      expect(() => rig.ask(unit)).toThrow(
        expect.objectContaining({ details: expect.objectContaining({ field: 'unit' }) }),
      );
    }
  });
});
