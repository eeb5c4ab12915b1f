import { describe, expect, it } from 'vitest';
import { MessageBatch } from './raw-socket.ts';

/** A batch of two, and its memory as the kernel sees it. */
const setUp = () => {
  let memory = new ArrayBuffer(0);
  const batch = new MessageBatch((buffer) => {
    memory = buffer;
    return 0x10000n;
  }, 2);
  return { batch, view: new DataView(memory) };
};

const controlAt = (view: DataView, index: number): number =>
  Number(view.getBigUint64(index * 64 + 32, true)) - 0x10000;

describe('a batch of messages', () => {
  it('points at its own memory', () => {
    const { view } = setUp();
    const vectorAt = Number(view.getBigUint64(64 + 16, true)) - 0x10000;
    expect(vectorAt).toBe(2 * 64 + 16);
    expect(view.getBigUint64(64 + 24, true)).toBe(1n);
    expect(Number(view.getBigUint64(vectorAt, true)) - 0x10000).toBe(2 * 80 + 72);
    expect(view.getBigUint64(vectorAt + 8, true)).toBe(72n);
  });

  it('reads stamps and drops, and is ready for the next', () => {
    const { batch, view } = setUp();
    const at = controlAt(view, 1);
    const stamp = Buffer.from('3122fa6a0000000080d21d2b00000000', 'hex');
    view.setBigUint64(at, 64n, true);
    view.setUint32(at + 8, 1, true);
    view.setUint32(at + 12, 37, true);
    for (const [i, byte] of stamp.entries()) view.setUint8(at + 16 + i, byte);
    view.setBigUint64(at + 64, 20n, true);
    view.setUint32(at + 72, 1, true);
    view.setUint32(at + 76, 40, true);
    view.setUint32(at + 80, 7, true);
    view.setBigUint64(64 + 40, 84n, true);
    batch.look(1);
    expect(batch.kernelUs).toBe(0x6afa2231 * 1e6 + Math.floor(0x2b1dd280 / 1000));
    expect([batch.adapterUs, batch.drops]).toEqual([0, 7]);
    expect(view.getBigUint64(64 + 40, true)).toBe(96n);
  });

  it('knows a message without either', () => {
    const { batch, view } = setUp();
    view.setBigUint64(40, 0n, true);
    batch.look(0);
    expect([batch.kernelUs, batch.adapterUs, batch.drops]).toEqual([0, 0, 0]);
  });

  it('knows which are frames of others with nothing but a stamp', () => {
    const { batch, view } = setUp();
    const runWith = (flags: number, controlLength: number, word: number): number => {
      view.setInt32(48, 0x004, true);
      view.setBigUint64(40, 64n, true);
      view.setInt32(64 + 48, flags, true);
      view.setBigUint64(64 + 40, BigInt(controlLength), true);
      view.setUint32(2 * 80 + 72, word, true);
      return batch.runFrom(0, 2, 7);
    };
    expect([runWith(0, 64, 0x123), runWith(0x004, 0, 0x8000_0123)]).toEqual([2, 2]);
    expect([runWith(0x804, 64, 0x123), runWith(0, 84, 0x123), runWith(0, 20, 0x123)]).toEqual([
      1, 1, 1,
    ]);
    expect(runWith(0, 64, 0x2000_0080)).toBe(1);
    expect([batch.runFrom(1, 2, 7), batch.runFrom(0, 1, 7)]).toEqual([0, 1]);
    // New drops after the stamp end a burst.
    const dropsAt = controlAt(view, 1) + 64;
    for (const [i, word] of [20, 0, 1, 40, 7].entries())
      view.setUint32(dropsAt + 4 * i, word, true);
    expect([runWith(0, 88, 0x123), runWith(0, 84, 0x123)]).toEqual([2, 2]);
    view.setUint32(dropsAt + 16, 8, true);
    expect(runWith(0, 88, 0x123)).toBe(1);
  });

  it('tells the echo of its own socket from other frames of the machine', () => {
    const { batch, view } = setUp();
    view.setInt32(48, 0x804, true);
    view.setInt32(64 + 48, 0x004, true);
    expect([batch.isOwnEcho(0), batch.isOwnEcho(1)]).toEqual([true, false]);
  });
});
