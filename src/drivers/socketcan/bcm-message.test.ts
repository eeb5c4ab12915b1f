import { describe, expect, it } from 'vitest';
import { frameFlag } from '../../frame/frm2-layout.ts';
import { cyclicMessage, reportsExpiry, sentInList } from './bcm-jobs.ts';

const job = { id: 0x123, flags: 0, dlc: 2, data: Uint8Array.of(0xca, 0xfe), count: 0 };
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const words = (...values: number[]): string => hex(new Uint8Array(Uint32Array.from(values).buffer));

describe('a message to the broadcast manager', () => {
  it('asks for one frame every period without end', () => {
    const message = cyclicMessage({ ...job, periodUs: 1_500_000 }, 0);
    expect(hex(message)).toBe(
      words(1, 3, 0, 0, 0, 0, 0, 0, 1, 0, 500_000, 0, 0x123, 1) +
        '2301000002000000cafe000000000000',
    );
  });

  it('asks for a count of frames, and to be told of the last', () => {
    const message = cyclicMessage({ ...job, periodUs: 10_000 }, 5);
    expect(hex(message.subarray(0, 56))).toBe(
      words(1, 7, 5, 0, 0, 0, 10_000, 0, 0, 0, 0, 0, 0x123, 1),
    );
  });

  it('carries the longer layout for CAN FD', () => {
    const flags = frameFlag.fd | frameFlag.brs | frameFlag.extended;
    const message = cyclicMessage({ ...job, flags, id: 0x18ff50e5, periodUs: 10_000 }, 0);
    expect(message).toHaveLength(56 + 72);
    const view = new DataView(message.buffer);
    expect(view.getUint32(4, true)).toBe(0x803);
    expect(view.getUint32(48, true)).toBe(0x98ff50e5);
  });

  it('comes back when all frames were sent', () => {
    const message = new Uint8Array(56);
    message[0] = 9;
    expect(reportsExpiry(message, 56)).toBe(true);
    expect(reportsExpiry(message, 55)).toBe(false);
    message[0] = 12;
    expect(reportsExpiry(message, 56)).toBe(false);
  });
});

describe('the list of jobs', () => {
  it('says how many frames were sent', () => {
    const list =
      '>>> socket 0000 / 0 / 0 / 0 vcan0 <<<\ntx_op: 111 vcan0 [1] t2=100000 # sent 42\n';
    expect(sentInList(list)).toBe(42);
    expect(sentInList('>>> socket <<<\n')).toBeUndefined();
  });
});
