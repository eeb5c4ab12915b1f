import { describe, expect, it } from 'vitest';
import { seenBefore } from '../../trace-core/bit-changes.ts';
import type { ChangesReport, IdChanges } from '../../trace-core/id-report.ts';
import {
  changedBytesText,
  changesRows,
  type HiddenBits,
  nameSpans,
  stripBars,
  stripBase,
} from './changes-rows.ts';
import { fieldByName, ignoredFields, protectionField } from './ignored-fields.ts';

const anId = (serial: number, from: number, isNew = false): IdChanges => ({
  ...{ serial, timestampUs: 0, channel: 0, bus: 1, kind: 1, id: 0x100, flags: 0 },
  ...{ dlc: 1, length: 1, errors: 0, count: 9, framesSinceMark: 5, isNew, from },
});

/** Three IDs of one byte: new and seen bits, only seen ones, and one that was not there before. */
const report: ChangesReport = {
  ids: [anId(0, 0), anId(1, 1), anId(2, 2, true)],
  total: 3,
  data: Uint8Array.of(1, 2, 3),
  cells: Uint8Array.of(
    ...[4, 2 | seenBefore, 0, seenBefore, 0, 0, 0, 1],
    ...[3 | seenBefore, 0, 0, 0, 0, 0, 0, 0],
    ...[0, 0, 0, 0, 0, 0, 0, 0],
  ),
  counts: null,
  markUs: 1000,
};

const rows = (hiding: Partial<HiddenBits>, of: ChangesReport = report) =>
  changesRows(of, { isSeenHidden: false, ignoredOf: () => new Set(), ...hiding });

describe('changesRows', () => {
  it('counts bits that changed since the mark', () => {
    expect(rows({}).map(({ changed, hidden }) => [changed, hidden])).toEqual([
      [3, 0],
      [1, 0],
      [0, 0],
    ]);
    expect([...(rows({})[0]?.levels ?? [])]).toEqual([4, 2, 0, 0, 0, 0, 0, 1]);
    expect([...(rows({})[1]?.data ?? [])]).toEqual([2]);
  });

  it('hides bits and IDs that changed before the mark, but no new ID', () => {
    const shown = rows({ isSeenHidden: true });
    expect(shown.map(({ serial, changed, hidden }) => [serial, changed, hidden])).toEqual([
      [0, 2, 1],
      [2, 0, 0],
    ]);
    expect(rows({ isSeenHidden: true }, { ...report, markUs: null })).toHaveLength(3);
  });

  it('hides ignored bits', () => {
    const [row] = rows({ ignoredOf: ({ serial }) => new Set(serial === 0 ? [0, 7] : []) });
    expect(row).toMatchObject({ changed: 1, hidden: 2 });
  });
});

describe('the texts of changes', () => {
  it('put the name of a signal over its bits, highest first', () => {
    const signals = [
      { name: 'Gear', bits: [0, 1, 2] },
      { name: 'Speed', bits: [6, 7, 8, 9] },
    ];
    expect(nameSpans(signals, 0)).toEqual([
      { name: 'Speed', bits: 2 },
      { name: null, bits: 3 },
      { name: 'Gear', bits: 3 },
    ]);
  });

  it('draw bytes from the left and the highest bit of each first, and bytes of long frames', () => {
    const bars = (bits: Uint8Array) =>
      [...stripBars(bits).matchAll(/M([\d.]+) \d+h[\d.]+v-([\d.]+)/g)].map(([, x, height]) => [
        Number(x),
        Number(height),
      ]);
    const short = new Uint8Array(16);
    short[7] = 4;
    short[8] = 2;
    expect(bars(short)).toEqual([
      [0, 17],
      [49 + 7 * (47 / 8), 8.5],
    ]);
    expect(stripBase(16).match(/M/g)).toHaveLength(2);
    const long = new Uint8Array(8 * 64);
    long[11] = 4;
    expect(bars(long)).toEqual([[6, 17]]);
  });

  it('name the bytes that changed', () => {
    const levels = new Uint8Array(64);
    expect(changedBytesText(levels)).toBe('–');
    levels[3] = 1;
    expect(changedBytesText(levels)).toBe('byte 0');
    levels.fill(1, 16, 40);
    expect(changedBytesText(levels)).toBe('bytes 0, 2–4');
  });
});

describe('counters and checksums', () => {
  it.each([
    ['AliveCounter', 4, 'counter'],
    ['E2E_Counter', 4, 'counter'],
    ['MSG_BZ', 4, 'counter'],
    ['CRC8_Engine', 8, 'checksum'],
    ['ChecksumBrake', 8, 'checksum'],
    ['EngineSpeed', 8, undefined],
    ['TripCounter', 16, undefined],
    ['Discount', 4, undefined],
    ['Scsi', 8, undefined],
  ])('are known by name: %s of %i bits', (name, length, kind) => {
    expect(fieldByName({ name, bits: [...new Array(length).keys()] })?.kind).toBe(kind);
  });

  it('are named once, and detected ones with their evidence', () => {
    const bits = [0, 1, 2, 3];
    const counter = { kind: 'counter', bits, rule: '0 to 15', agreed: 511, of: 511 } as const;
    expect(ignoredFields([{ name: 'Alive', bits }], null, [counter])).toEqual([
      { kind: 'counter', bits, reason: 'signal Alive' },
    ]);
    expect(ignoredFields([], null, [{ ...counter, agreed: 1510, of: 1511 }])).toEqual([
      { kind: 'counter', bits, reason: 'detected: 0 to 15, 1,510 of 1,511 steps' },
    ]);
  });

  it('are those that a gateway protects, with or without names', () => {
    const settings = { profile: '2', max_delta_counter: 1 } as const;
    const message = {
      ...{ instance: 'cabin', name: 'Wheels', slot: 0, id: 1, extended: false },
      protection: { direction: 'check', first_byte: 2, length: 4, settings } as const,
    };
    const protection = protectionField(message);
    const bits = Array.from({ length: 12 }, (_, at) => 16 + at);
    expect(protection).toEqual({
      ...{ kind: 'protection', bits, reason: 'E2E settings of cabin/Wheels' },
    });
    const counter = {
      kind: 'counter',
      bits: [24, 25, 26, 27],
      rule: '',
      agreed: 1,
      of: 1,
    } as const;
    expect(ignoredFields([], protection, [counter])).toEqual([protection]);
    const named = { name: 'Alive', bits: [24, 25, 26, 27] };
    expect(ignoredFields([named], protection, []).map(({ kind }) => kind)).toEqual([
      'counter',
      'protection',
    ]);
    expect(protectionField({ ...message, protection: null })).toBeNull();
  });
});
