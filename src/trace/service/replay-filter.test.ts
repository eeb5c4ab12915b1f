import { describe, expect, it } from 'vitest';
import { readDbc } from '../../database/dbc/read-dbc.ts';
import { busCode } from '../../frame/frm2-layout.ts';
import { TraceBatch } from '../trace-batch.ts';
import { replayFilters } from './replay-filter.ts';

const engine = readDbc(
  new TextEncoder().encode(
    'VERSION ""\nBU_: N\nBO_ 256 Engine: 1 N\n SG_ Speed : 0|8@1+ (10,0) [0|2550] "rpm" N\n',
  ),
).database;

const compile = replayFilters((name) => (name === 'engine' ? engine : undefined));
const databases = { can0: ['engine', 'unloaded'], can1: [] };

interface Event {
  readonly id: number;
  readonly channel?: number;
  readonly data?: number;
}

const passing = (text: string, ...events: readonly Event[]): boolean[] => {
  const batch = new TraceBatch(events.length);
  for (const [row, { id, channel = 1, data = 0 }] of events.entries()) {
    batch.timeNs[row] = row * 1e6;
    batch.id[row] = id;
    batch.channel[row] = channel;
    batch.bus[row] = busCode.can;
    batch.kind[row] = 1;
    batch.length[row] = 1;
    batch.payload[row * 64] = data;
  }
  batch.count = events.length;
  const filter = compile({ text, databases }, ['can0', 'can1'])();
  return events.map((_, row) => filter.passes(batch, row));
};

describe('the filter of a replay', () => {
  it('passes the events at which its condition fires', () => {
    expect(passing('frame 100 or frame 102', { id: 0x100 }, { id: 0x101 }, { id: 0x102 })).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('passes all events while a state holds', () => {
    const events = [{ id: 0x101 }, { id: 0x100, data: 200 }, { id: 0x101 }, { id: 0x100 }];
    expect(passing('signal Engine.Speed > 1000', ...events)).toEqual([false, true, true, false]);
  });

  it('knows the mapped channels by their names in the file, each with its databases', () => {
    const events = [
      { id: 0x100, data: 200 },
      { id: 0x100, data: 200, channel: 2 },
    ];
    expect(passing('frame 100 on can1', ...events)).toEqual([false, true]);
    expect(passing('change Engine.Speed', ...events, { id: 0x100, data: 1, channel: 2 })).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('knows nothing from before a gap', () => {
    const batch = new TraceBatch(1);
    const filter = compile({ text: 'not signal Engine.Speed < 10', databases }, ['can0'])();
    const without = compile({ text: 'signal Engine.Speed < 10', databases }, ['can0'])();
    Object.assign(batch, { count: 1 });
    batch.channel[0] = 1;
    batch.id[0] = 0x100;
    batch.length[0] = 1;
    expect([filter.passes(batch, 0), without.passes(batch, 0)]).toEqual([false, true]);
    batch.id[0] = 0x101;
    batch.timeNs[0] = 2e6;
    for (const one of [filter, without]) one.gap(1e6);
    expect([filter.passes(batch, 0), without.passes(batch, 0)]).toEqual([true, false]);
  });

  it.each([
    ['fram 100', 0],
    ['frame 100 on can7', 13],
    ['signal Engine.Sped > 3', 14],
    ['signal Brake.Force > 3', 7],
    ['e2e_error cabin/Wheels', 10],
  ])('is refused as %s, at its offset', (text, offset) => {
    expect(() => passing(text)).toThrow(
      expect.objectContaining({
        code: 'invalid_argument',
        details: expect.objectContaining({ field: 'filter', offset, expected: expect.any(String) }),
      }),
    );
  });

  it('says that no database is attached', () => {
    const none = () =>
      compile({ text: 'signal Engine.Speed > 3', databases: { can0: [] } }, ['can0']);
    expect(none).toThrow('no database is attached');
  });
});
