import { describe, expect, it } from 'vitest';
import { samplePdu } from '../testing/sample-pdu.ts';
import { PduStore, storeLimits } from './pdu-store.ts';

const fill = (store: PduStore, count: number, bytes = 0): void => {
  const payload = new Uint8Array(bytes);
  for (let i = 0; i < count; i++) store.add(samplePdu({ payload, length: bytes }), 'SIM00001/0');
};

const sequences = (store: PduStore, after = 0): number[] =>
  [...store.after(after)].map(({ sequence }) => sequence);

describe('PduStore', () => {
  it('counts PDUs from 1', () => {
    const store = new PduStore();
    expect(store.bounds).toEqual({ oldestAvailable: 1, newestAvailable: 0 });
    fill(store, 3);
    expect(sequences(store)).toEqual([1, 2, 3]);
    expect(sequences(store, 2)).toEqual([3]);
    expect(store.bounds).toEqual({ oldestAvailable: 1, newestAvailable: 3 });
  });

  it('keeps the newest 4096', () => {
    const store = new PduStore();
    fill(store, storeLimits.pdus);
    expect(store.bounds).toEqual({ oldestAvailable: 1, newestAvailable: 4096 });
    fill(store, 1);
    expect(store.bounds).toEqual({ oldestAvailable: 2, newestAvailable: 4097 });
    expect(store.get(1)).toBeUndefined();
    expect(store.get(2)?.sequence).toBe(2);
  });

  it('finds every PDU while its list is compacted, over many rounds', () => {
    const store = new PduStore({ pdus: 8, bytes: 1_000_000 });
    for (let newest = 1; newest <= 50; newest++) {
      fill(store, 1);
      const oldest = Math.max(1, newest - 7);
      expect(store.size).toBe(newest - oldest + 1);
      const kept = Array.from({ length: store.size }, (_, i) => oldest + i);
      expect(sequences(store)).toEqual(kept);
      expect(kept.map((sequence) => store.get(sequence)?.sequence)).toEqual(kept);
      expect(store.get(oldest - 1)).toBeUndefined();
      expect(store.get(newest + 1)).toBeUndefined();
    }
  });

  it('keeps at most 16 MiB of payloads', () => {
    const store = new PduStore();
    const mebibyte = 1024 * 1024;
    fill(store, 15, mebibyte);
    expect(store.size).toBe(15);
    // Every PDU counts a little more than its payload.
    fill(store, 1, mebibyte);
    expect(store.bounds).toEqual({ oldestAvailable: 2, newestAvailable: 16 });
    fill(store, 100, mebibyte);
    expect(store.size).toBe(15);
    expect(store.bounds.newestAvailable).toBe(116);
  });

  it('frees the room of large PDUs for small ones', () => {
    const store = new PduStore({ pdus: 100, bytes: 10_000 });
    fill(store, 1, 9000);
    fill(store, 1, 1000);
    expect(sequences(store)).toEqual([2]);
    fill(store, 5);
    expect(sequences(store)).toEqual([2, 3, 4, 5, 6, 7]);
  });

  it('keeps a PDU that is larger than the memory limit, alone', () => {
    const store = new PduStore({ pdus: 100, bytes: 1000 });
    fill(store, 1);
    fill(store, 1, 5000);
    expect(sequences(store)).toEqual([2]);
    fill(store, 1);
    expect(sequences(store)).toEqual([3]);
  });

  it('refuses a sequence after which PDUs were dropped, or of another run', () => {
    const store = new PduStore({ pdus: 4, bytes: 1_000_000 });
    expect(store.isExpired(0)).toBe(false);
    expect(store.isExpired(1)).toBe(true);
    fill(store, 10);
    expect([0, 6, 10].map((after) => store.isExpired(after))).toEqual([false, false, false]);
    expect([1, 5, 11].map((after) => store.isExpired(after))).toEqual([true, true, true]);
    expect(() => store.check(5)).toThrow(
      expect.objectContaining({
        code: 'cursor_expired',
        details: expect.objectContaining({ oldest_available: 7, newest_available: 10 }),
      }),
    );
  });
});
