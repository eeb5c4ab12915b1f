import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileEventFilter } from '../../../src/frame/event-filter.ts';
import { busCode, eventKindCode, frameFlag } from '../../../src/frame/frm2-layout.ts';
import { SeenChannels } from './channel-names.ts';
import { FrameChunk } from './frame-chunk.ts';
import {
  emptyFilter,
  type FilterText,
  isOpen,
  matchesId,
  parseFilter,
  parseIdChoices,
  rowTest,
} from './frame-filter.ts';
import { MessageNames } from './message-names.ts';
import { aChunk, aRecord, error, extended } from './testing/records.ts';

const id = fc.oneof(
  fc.constantFrom(0x000, 0x123, 0x1ff, 0x7ff, 0x800, 0x1234, 0x18ff50e5, 0x1fffffff),
  fc.integer({ min: 0, max: 0x7ff }),
  fc.integer({ min: 0, max: 0x1fffffff }),
);
const flags = fc.constantFrom(0, extended, error);
const number = fc
  .tuple(fc.constantFrom('', '0x'), id, fc.constantFrom(1, 3, 4, 8, 9), fc.constantFrom('', 'h'))
  .map(([head, value, digits, tail]) => head + value.toString(16).padStart(digits, '0') + tail);
const text = fc.oneof(
  number,
  fc.tuple(number, fc.constantFrom('-', ':'), number).map((parts) => parts.join('')),
);

/** Whether frames pass the filter of the service; null if it rejects the text. */
const serviceTest = (pattern: string) => {
  try {
    return compileEventFilter({ id: [pattern] }) ?? null;
  } catch {
    return null;
  }
};

describe('a pattern that the service knows', () => {
  it('means the same frames in the console, and is refused by both or by none', () => {
    fc.assert(
      fc.property(text, id, flags, (pattern, value, flag) => {
        const passes = serviceTest(pattern);
        const parsed = parseIdChoices(pattern);
        expect('ok' in parsed).toBe(passes !== null);
        if (!('ok' in parsed) || passes === null) return;
        // No 11-bit frame has more digits.
        const frame = (flag & extended) === 0 ? value & 0x7ff : value;
        const record = aRecord({ id: frame, flags: flag });
        expect(matchesId(parsed.ok, frame, flag)).toBe(passes(record, 0));
        const [low = 0] = parsed.ok.map((choice) => choice.low);
        const own = aRecord({ id: low, flags: flag });
        expect(matchesId(parsed.ok, low, flag)).toBe(passes(own, 0));
      }),
      { seed: 47, numRuns: 1000 },
    );
  });
});

describe('a wildcard', () => {
  it('means what each of its digits would mean', () => {
    const digits = '0123456789ABCDEF';
    for (const pattern of ['7E?', '?00', '18FF50E?', '?8FF50E5', '12?x']) {
      const wild = parseIdChoices(pattern);
      const own = [...digits].flatMap((digit) => {
        const parsed = parseIdChoices(pattern.replace('?', digit));
        return 'ok' in parsed ? parsed.ok : [];
      });
      const width = 'ok' in wild && wild.ok[0]?.extended ? extended : 0;
      const meant = own.filter((choice) => choice.extended === (width !== 0));
      expect(meant.length).toBeGreaterThan(1);
      for (const { low } of meant) {
        expect('ok' in wild && matchesId(wild.ok, low, width)).toBe(true);
        expect('ok' in wild && matchesId(wild.ok, low ^ 0x10, width)).toBe(
          meant.some((other) => other.low === (low ^ 0x10)),
        );
      }
    }
  });
});

const ports = ['powertrain', 'powertrain-tap', 'body'];
const opened = new SeenChannels();
opened.take(
  ports.map((name, slot) => ({
    slot,
    name,
    selector: `SIM00001/${slot}`,
    number: slot + 1,
    opened_at_us: 0,
  })),
);
const seen = opened.all;
const names = new MessageNames({
  messages: [
    { database: 'car', name: 'EngineData', id: 0x100, extended: false, pgn: null },
    { database: 'car', name: 'DoorState', id: 0x200, extended: false, pgn: null },
  ],
  plans: [
    {
      ...{ slot: 2, fromUs: 0, id: 0x21, extended: false, pgn: null },
      database: 'car',
      name: 'Window',
    },
  ],
});

type Fields = Parameters<typeof aChunk>[number];

/** Whether a frame passes a typed filter. */
const passes = (typed: Partial<FilterText>, frame: Fields): boolean => {
  const parsed = parseFilter({ ...emptyFilter, ...typed }, seen);
  if (!('filter' in parsed)) throw new Error(JSON.stringify(parsed.errors));
  return rowTest(parsed.filter, names)(aChunk(frame), 0);
};

const passing = (typed: Partial<FilterText>, frames: readonly Fields[]): number[] =>
  frames.filter((frame) => passes(typed, frame)).map(({ id = 0 }) => id);

const wrong = (typed: Partial<FilterText>) => {
  const parsed = parseFilter({ ...emptyFilter, ...typed }, seen);
  return 'errors' in parsed ? parsed.errors : null;
};

describe('the identifier field', () => {
  const frames = [0x0ff, 0x100, 0x1ff, 0x200, 0x7df, 0x7e0, 0x7ef].map((id) => ({ id }));

  it.each([
    ['100', [0x100]],
    ['0x1FF', [0x1ff]],
    ['100-1FF', [0x100, 0x1ff]],
    ['7E?', [0x7e0, 0x7ef]],
    ['7e0:7f0', [0x7e0, 0x7ef]],
    ['100, 200', [0x100, 0x200]],
    ['100 7DF;7E?', [0x100, 0x7df, 0x7e0, 0x7ef]],
    ['!7DF', [0x0ff, 0x100, 0x1ff, 0x200, 0x7e0, 0x7ef]],
    ['700-7FF !7E?', [0x7df]],
    ['?00', [0x100, 0x200]],
  ])('takes %s', (id, expected) => {
    expect(passing({ id }, frames)).toEqual(expected);
  });

  it('means 29 bits where eight digits or an x say so, and 11 elsewhere', () => {
    const [narrow, wide] = [{ id: 0x123 }, { id: 0x123, flags: extended }];
    const widths = (id: string) => [passes({ id }, narrow), passes({ id }, wide)];
    for (const id of ['123', '0x123', '123h', '12?', '100-1FF', '123:7FF']) {
      expect([id, ...widths(id)]).toEqual([id, true, false]);
    }
    for (const id of ['123x', '0x123x', '00000123', '12?x', '100-1FFx', '123x:7FF', '????0123']) {
      expect([id, ...widths(id)]).toEqual([id, false, true]);
    }
    expect(passes({ id: '1234' }, { id: 0x1234, flags: extended })).toBe(true);
    expect(passes({ id: '18FF50E5' }, { id: 0x18ff50e5, flags: extended })).toBe(true);
    expect(passes({ id: '18FF50??' }, { id: 0x18ff50e5, flags: extended })).toBe(true);
    expect(passes({ id: '18FF51??' }, { id: 0x18ff50e5, flags: extended })).toBe(false);
  });

  it.each([
    ['1G0', 'must be hex as it is printed'],
    ['200-100', 'end is below its start'],
    ['100-', 'must be hex as it is printed'],
    ['7E0:', 'must be hex as it is printed'],
    ['7E?-7EF', 'must be hex as it is printed'],
    ['3FFFFFFF', 'above 1FFFFFFF'],
    ['123456789', 'must be hex as it is printed'],
    ['0123', 'which is ambiguous'],
    ['????', 'which is ambiguous'],
    ['100-18FF50E5', 'from 11 bits to 29 bits'],
    ['1G0x', 'must be hex as it is printed'],
  ])('says what is wrong with %s', (id, words) => {
    expect(wrong({ id })?.id).toContain(words);
    expect(wrong({ id })?.id).toContain(id);
  });
});

describe('an error frame', () => {
  const broken = { id: 0x80, flags: frameFlag.error };

  it('has no identifier that could be wanted, and none that could be excluded', () => {
    expect([passes({ id: '080' }, broken), passes({ id: '00000080' }, broken)]).toEqual([
      false,
      false,
    ]);
    expect(passes({ id: '!080' }, broken)).toBe(true);
  });
});

describe('the data field', () => {
  it.each([
    ['11', true],
    ['?? 22', true],
    ['1? ?2', true],
    ['22', false],
    ['* 22 33', true],
    ['*2233', true],
    ['*33 22', false],
    ['11 22 33', true],
    ['11 22 33 44', false],
    ['????????', false],
  ])('looks for %s in 11 22 33', (data, isThere) => {
    expect(passes({ data }, { data: '112233' })).toBe(isThere);
  });

  it('says what is wrong', () => {
    expect(wrong({ data: '1' })?.data).toContain('odd number of hex digits');
    expect(wrong({ data: 'XY' })?.data).toContain('hex digits');
  });
});

describe('the other fields', () => {
  it('takes channels by slot, name and port, also a part of these', () => {
    const on = (channel: string): number[] =>
      [0, 1, 2].filter((slot) => passes({ channel }, { channel: slot }));
    expect(on('0')).toEqual([0]);
    expect(on('body')).toEqual([2]);
    expect(on('POWER')).toEqual([0, 1]);
    expect(on('SIM00001/1, 2')).toEqual([1, 2]);
    expect(wrong({ channel: 'chassis' })?.channel).toContain('“chassis”');
  });

  it('means the channel of exactly that name where there is one', () => {
    const twins = new SeenChannels();
    twins.take([
      { slot: 0, name: 'power', selector: 'SIM00001/1', number: 2, opened_at_us: 0 },
      { slot: 1, name: 'power2', selector: 'SIM00001/10', number: 11, opened_at_us: 0 },
    ]);
    const slotsOf = (channel: string) => {
      const parsed = parseFilter({ ...emptyFilter, channel }, twins.all);
      return 'filter' in parsed ? parsed.filter.channels?.map(({ slot }) => slot) : parsed.errors;
    };
    expect([slotsOf('power'), slotsOf('sim00001/1'), slotsOf('pow')]).toEqual([[0], [0], [0, 1]]);
  });

  it('means the frames of the channel that was called so then, whose slot is now another', () => {
    const daemons = new SeenChannels();
    daemons.take([
      { slot: 0, name: 'chassis', selector: 'SIM00001/0', number: 1, opened_at_us: 1_000_000 },
    ]);
    daemons.take([
      { slot: 0, name: 'body', selector: 'SIM00001/2', number: 3, opened_at_us: 9_000_000 },
      { slot: 1, name: 'chassis', selector: 'SIM00001/0', number: 1, opened_at_us: 9_000_000 },
    ]);
    const frames = aChunk(
      { channel: 0, timestampUs: 2_000_000 },
      { channel: 0, timestampUs: 9_500_000 },
      { channel: 1, timestampUs: 9_500_000 },
    );
    const passing = (channel: string) => {
      const parsed = parseFilter({ ...emptyFilter, channel }, daemons.all);
      if (!('filter' in parsed)) throw new Error(JSON.stringify(parsed.errors));
      const test = rowTest(parsed.filter, names);
      return [0, 1, 2].filter((row) => test(frames, row));
    };
    expect(passing('chassis')).toEqual([0, 2]);
    expect(passing('body')).toEqual([1]);
    expect(passing('SIM00001/0')).toEqual([0, 2]);
    expect(passing('0')).toEqual([0, 1]);
  });

  it('takes names by a part, or by all of them with wildcards', () => {
    const called = (name: string): number[] =>
      passing({ name }, [{ id: 0x100 }, { id: 0x200 }, { id: 0x300 }]);
    expect(called('engine')).toEqual([0x100]);
    expect(called('data, door')).toEqual([0x100, 0x200]);
    expect(called('E*a')).toEqual([0x100]);
    expect(called('ngine*')).toEqual([]);
    expect(called('!door')).toEqual([0x100, 0x300]);
    expect(called('E(')).toEqual([]);
  });

  it('names LIN frames only by a plan on their channel', () => {
    const frame = { bus: busCode.lin, id: 0x21, channel: 2 };
    expect(passes({ name: 'Window' }, frame)).toBe(true);
    expect(passes({ name: 'Window' }, { ...frame, channel: 1 })).toBe(false);
    expect(passes({ name: 'Engine' }, { bus: busCode.lin, id: 0x100 })).toBe(false);
  });

  it('takes a direction', () => {
    const sent = { kind: eventKindCode.tx_complete };
    expect([passes({ direction: 'tx' }, sent), passes({ direction: 'rx' }, sent)]).toEqual([
      true,
      false,
    ]);
  });

  it('wants everything at once', () => {
    const frame = { id: 0x100, channel: 0, data: '01' };
    expect(passes({ id: '100', channel: '0', data: '01', name: 'Eng' }, frame)).toBe(true);
    expect(passes({ id: '100', channel: '1' }, frame)).toBe(false);
  });

  it('hides no gap but those of other channels', () => {
    const chunk = new FrameChunk(2);
    chunk.addGap({ eventId: 1, missing: 5, channel: 0xffff, timestampUs: 0 });
    chunk.addGap({ eventId: 2, missing: 5, channel: 1, timestampUs: 0 });
    const shown = (text: Partial<FilterText>): boolean[] => {
      const parsed = parseFilter({ ...emptyFilter, ...text }, seen);
      if (!('filter' in parsed)) return [];
      return [0, 1].map((row) => rowTest(parsed.filter, names)(chunk, row));
    };
    expect(shown({ id: '7FF' })).toEqual([true, true]);
    expect(shown({ channel: '1' })).toEqual([true, true]);
    expect(shown({ channel: '0' })).toEqual([true, false]);
  });

  it('knows when it lets everything through', () => {
    const open = parseFilter({ ...emptyFilter, id: ' , ', data: '  ' }, seen);
    expect('filter' in open && isOpen(open.filter)).toBe(true);
  });
});
