import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  allCandidates,
  bitReader,
  countOf,
  integerReader,
  narrowedDown,
  type Outcome,
  outcomes,
  type Snapshot,
} from './narrow-down.ts';

const none = (): ReadonlySet<number> => new Set();

const snapshotOf = (...payloads: (readonly number[])[]): Snapshot =>
  new Map(payloads.map((bytes, serial) => [serial, Uint8Array.from(bytes)]));

describe('integerReader', () => {
  it('reads as a DataView does', () => {
    const payload = fc.uint8Array({ minLength: 4, maxLength: 8 });
    fc.assert(
      fc.property(payload, fc.boolean(), fc.boolean(), (data, isIntel, isSigned) => {
        const view = new DataView(data.buffer, data.byteOffset);
        for (const bytes of [1, 2, 4] as const) {
          const reader = integerReader(bytes, isIntel, isSigned);
          const kind = `get${isSigned ? 'Int' : 'Uint'}${8 * bytes}` as 'getInt16';
          for (const place of reader.placesOf(0, data)) {
            expect(reader.read(0, data, place)).toBe(view[kind](place, isIntel));
          }
          expect(reader.read(0, data, data.length - bytes + 1)).toBeNull();
        }
      }),
      { seed: 2, numRuns: 100 },
    );
  });
});

describe('narrowing down', () => {
  it('leaves the field that did as it was told in every step', () => {
    const reader = integerReader(2, true, true);
    const steps: [Outcome | null, number][] = [
      [null, -5],
      ['up', 3],
      ['same', 3],
      ['down', -300],
      ['changed', 7],
    ];
    let state = 1;
    const random = (): number => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return (state >>> 16) & 0xff;
    };
    const snapshots = steps.map(([, value]) =>
      snapshotOf(Array.from({ length: 8 }, random), [
        random(),
        random(),
        random(),
        value & 0xff,
        (value >> 8) & 0xff,
        9,
      ]),
    );
    const [first] = snapshots as [Snapshot];
    let candidates = allCandidates(first, reader, none);
    expect(countOf(candidates)).toBe(7 + 5);
    for (const [at, [outcome]] of steps.entries()) {
      const [before, now] = [snapshots[at - 1], snapshots[at]];
      if (outcome && before && now) {
        candidates = narrowedDown(candidates, reader, before, now, outcome);
      }
    }
    expect([...candidates]).toEqual([[1, [3]]]);
    expect(reader.nameOf(1, 3)).toBe('bytes 3–4');
  });

  it('divides all fields into those that went up, down, or stayed the same', () => {
    const payload = fc.array(fc.uint8Array({ maxLength: 5 }), { maxLength: 3 });
    fc.assert(
      fc.property(payload, payload, (old, fresh) => {
        const [before, now] = [
          snapshotOf(...old.map((a) => [...a])),
          snapshotOf(...fresh.map((a) => [...a])),
        ];
        const all = allCandidates(before, bitReader, none);
        const [up = 0, down = 0, changed, same = 0] = outcomes.map((outcome) =>
          countOf(narrowedDown(all, bitReader, before, now, outcome)),
        );
        const common = old.map((data, i) => 8 * Math.min(data.length, fresh[i]?.length ?? 0));
        expect(up + down).toBe(changed);
        expect(up + down + same).toBe(common.reduce((a, b) => a + b, 0));
      }),
      { seed: 4, numRuns: 100 },
    );
  });

  it('has no field with an ignored bit', () => {
    const all = allCandidates(
      snapshotOf([1, 2, 3]),
      integerReader(2, false, false),
      () => new Set([0]),
    );
    expect([...all]).toEqual([[0, [1]]]);
    expect(countOf(allCandidates(snapshotOf([1]), bitReader, () => new Set([0, 7])))).toBe(6);
    expect(bitReader.nameOf(0, 11)).toBe('byte 1, bit 3');
  });
});
