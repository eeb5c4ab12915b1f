import { describe, expect, it } from 'vitest';
import { compileEventFilter, type EventChoice } from './event-filter.ts';
import { encodeFrm2, type Frm2Event } from './frm2-event.ts';
import { frameFlag } from './frm2-layout.ts';

const frame: Frm2Event = {
  bus: 'can',
  kind: 'rx_frame',
  channel: 0,
  dlc: 0,
  id: 0x123,
  flags: 0,
  status: 0,
  eventId: 1,
  sourceSequence: 1,
  streamEpoch: 0,
  timestampUs: 0,
  hardwareSequence: 0,
  filterHit: 0,
  checksum: 0,
  data: new Uint8Array(0),
};

const extended = { flags: frameFlag.extended };

const passes = (choice: EventChoice, event: Partial<Frm2Event>): boolean | undefined =>
  compileEventFilter(choice)?.(new DataView(encodeFrm2({ ...frame, ...event }).buffer), 0);

describe('compileEventFilter', () => {
  it('makes no filter where nothing is chosen', () => {
    expect(compileEventFilter({})).toBeUndefined();
    expect(compileEventFilter({ id: [] })).toBeUndefined();
  });

  it.each<[string, Partial<Frm2Event>, boolean]>([
    ['123', {}, true],
    ['123', { id: 0x124 }, false],
    ['123', extended, false],
    ['00000123', extended, true],
    ['00000123', {}, false],
    ['100-1FF', { id: 0x1ff }, true],
    ['100-1FF', { id: 0x200 }, false],
    ['18FF0000-18FFFFFF', { ...extended, id: 0x18ff50e5 }, true],
    ['18FF0000-18FFFFFF', { ...extended, id: 0x19000000 }, false],
    ['120:7F0', { id: 0x12f }, true],
    ['120:7F0', { id: 0x130 }, false],
    ['00FF0000:00FF0000', { ...extended, id: 0x18ff50e5 }, true],
    ['21', { bus: 'lin', id: 0x21 }, true],
    ['000:000', { id: 0x7ff }, true],
    ['000:000', { flags: frameFlag.error }, false],
  ])('lets %s judge %j: %s', (id, event, expected) => {
    expect(passes({ id: [id] }, event)).toBe(expected);
  });

  it('passes what any of several patterns lets pass', () => {
    const choice = { id: ['100', '200-2FF', '18FF50E5'] };
    expect(passes(choice, { id: 0x100 })).toBe(true);
    expect(passes(choice, { id: 0x280 })).toBe(true);
    expect(passes(choice, { ...extended, id: 0x18ff50e5 })).toBe(true);
    expect(passes(choice, { id: 0x101 })).toBe(false);
  });

  it('tells directions apart, alone and together with identifiers', () => {
    const sent = { kind: 'tx_complete' } as const;
    expect(passes({ direction: 'rx' }, {})).toBe(true);
    expect(passes({ direction: 'rx' }, sent)).toBe(false);
    expect(passes({ direction: 'tx' }, { ...sent, flags: frameFlag.error })).toBe(true);
    expect(passes({ direction: 'tx', id: ['123'] }, sent)).toBe(true);
    expect(passes({ direction: 'tx', id: ['124'] }, sent)).toBe(false);
  });

  it('names the pattern that is wrong', () => {
    expect(() => compileEventFilter({ id: ['123', '1FF-100'] })).toThrow(
      expect.objectContaining({ details: { field: 'id[1]', reason: 'order' } }),
    );
  });
});
