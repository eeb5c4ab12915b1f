import { describe, expect, it } from 'vitest';
import type { DatabaseContent } from '../api/client.ts';
import { aMessage, aSignal, when } from '../codec/testing/models.ts';
import { emptyFilter, parseFilter } from './frame-filter.ts';
import type { GatewayMessage } from './message-names.ts';
import { RowSearch } from './row-search.ts';
import { aRecord, error } from './testing/records.ts';
import { TraceEngine } from './trace-engine.ts';

const car = {
  name: 'car',
  type: 'dbc',
  message_page: [
    aMessage([
      aSignal({ name: 'Speed', factor: '0.5' }),
      aSignal({ name: 'Mode', start_bit: 8, is_switch: true, values: [{ raw: '2', text: 'eco' }] }),
      aSignal({ name: 'Boost', start_bit: 16, kind: 'signed', multiplexing: when('Mode', [1, 1]) }),
      aSignal({ name: 'Wide', start_bit: 0, length: 64 }),
    ]),
  ],
} as unknown as DatabaseContent;

const channels = [
  { slot: 0, labels: ['SIM00001/0'], fromUs: 0, untilUs: 9e9, number: 1 },
  { slot: 3, labels: ['powertrain', 'SIM00001/1'], fromUs: 0, untilUs: 9e9, number: 2 },
];
const wheels: GatewayMessage = {
  ...{ instance: 'cabin', name: 'Wheels', slot: 0, id: 0x123, extended: false },
  protection: {
    ...{ direction: 'check', first_byte: 0, length: 2 },
    settings: {
      ...{ profile: 'free', max_delta_counter: 1 },
      counter: { start_bit: 1, bit_length: 3, byte_order: 'intel', max: '7' },
      checksum: { start_bit: 8, bit_length: 8, byte_order: 'intel', algorithm: 'sum8' },
    },
  },
};
const gateways: readonly GatewayMessage[] = [
  wheels,
  { ...wheels, name: 'Doors', protection: null },
  { ...wheels, name: 'Secret', protection: { ...wheels.protection, settings: null } as never },
];
const context = { databases: [car], attached: [], gateways, channels };

/** Speeds of 1, 2, 3, … with a pause of a second before the fifth frame. */
const frames = [...['0200', '0401', '0602FF', '080102', '0A01FE', '0C02']].map((data, at) => ({
  id: 0x123,
  data,
  timestampUs: at * 1000 + (at > 3 ? 1_000_000 : 0),
}));

const engineWith = (): TraceEngine => {
  const engine = new TraceEngine(() => {});
  for (const [at, frame] of frames.entries()) {
    engine.takeRecord(
      aRecord({
        eventId: at + 1,
        channel: at === 5 ? 3 : 0,
        sequence: at === 5 ? 1 : at + 1,
        ...frame,
      }),
    );
  }
  engine.takeRecord(
    aRecord({ eventId: 7, sequence: 6, id: 0x20, flags: error, timestampUs: 1_006_000 }),
  );
  return engine;
};

const searching = (engine = engineWith()) => {
  const search = new RowSearch();
  return (text: string | null, from: number | null = null, by: 1 | -1 = 1) =>
    search.find({ text, from, by }, engine.holdAll(), engine, context, async () => {});
};

describe('a search', () => {
  it.each([
    ['frame 123', [0, 1, 2, 3, 4, 5]],
    ['frame 123 data 0A', [4]],
    ['frame 123 on powertrain', [5]],
    ['frame 123 data ??01 on 0', [1, 3, 4]],
    ['signal Engine.Speed > 2.5', [2]],
    ['signal Engine.Mode = "eco"', [2, 5]],
    ['change Engine.Mode', [1, 2, 3]],
    ['signal Engine.Boost < 0', [4]],
    ['signal Engine.Wide >= 16777216', []],
    ['silence 123 100ms', [4]],
    ['error', [6]],
    ['error or frame 123 data 02', [0, 6]],
    ['e2e_error cabin/Wheels', [0, 1, 2, 3, 4]],
  ])('for %s finds the rows at which the condition fires', async (text, rows) => {
    const find = searching();
    const found: number[] = [];
    for (let from: number | null = null; ; ) {
      const { serial, number, count, error: refusal } = await find(text, from);
      expect(refusal).toBeNull();
      expect(count).toBe(rows.length);
      if (serial === null) break;
      found.push(serial);
      expect(number).toBe(found.length);
      from = serial;
    }
    expect(found).toEqual(rows);
  });

  it('goes back, from the end or from a row', async () => {
    const find = searching();
    await expect(find('frame 123', null, -1)).resolves.toMatchObject({ serial: 5, number: 6 });
    await expect(find('frame 123', 3, -1)).resolves.toMatchObject({ serial: 2, number: 3 });
    await expect(find('frame 123', 0, -1)).resolves.toMatchObject({ serial: null, number: 0 });
  });

  it('evaluates rows that the filter hides, and counts them', async () => {
    const engine = engineWith();
    const find = searching(engine);
    await expect(find('frame 123')).resolves.toMatchObject({ count: 6, hidden: 0 });
    const parsed = parseFilter({ ...emptyFilter, data: '?? 01' }, []);
    if ('filter' in parsed) engine.filter(parsed.filter);
    await expect(find('frame 123')).resolves.toMatchObject({ count: 3, hidden: 3, serial: 1 });
  });

  it('includes frames that came since', async () => {
    const engine = engineWith();
    const find = searching(engine);
    await find('frame 321');
    engine.takeRecord(aRecord({ eventId: 8, sequence: 7, id: 0x321, timestampUs: 1_010_000 }));
    await expect(find('frame 321')).resolves.toMatchObject({ count: 1, serial: 7 });
  });

  it('finds frames whose checksum differs from the rule of their ID', async () => {
    const engine = new TraceEngine(() => {});
    const wrong = new Set([40, 41, 120]);
    for (let at = 0; at < 200; at++) {
      const [first, second] = [(at * 37) & 0xff, (at * at) & 0xff];
      const checksum = first ^ second ^ 0x5a ^ (wrong.has(at) ? 4 : 0);
      const data = [first, second, checksum].map((byte) => byte.toString(16).padStart(2, '0'));
      const frame = { id: at % 2 === 0 ? 0x123 : 0x321, data: data.join('') };
      engine.takeRecord(aRecord({ eventId: at + 1, sequence: at + 1, ...frame }));
    }
    const find = searching(engine);
    const checked = { ids: 2, rules: ['XOR of the other bytes'] };
    await expect(find(null)).resolves.toMatchObject({ serial: 40, number: 1, count: 3, checked });
    await expect(find(null, 41)).resolves.toMatchObject({ serial: 120, number: 3 });
    const parsed = parseFilter({ ...emptyFilter, id: '321' }, []);
    if ('filter' in parsed) engine.filter(parsed.filter);
    await expect(find(null)).resolves.toMatchObject({ serial: 41, count: 1, hidden: 2 });
    await expect(searching()(null)).resolves.toMatchObject({ count: 0, checked: { ids: 0 } });
  });

  it.each([
    ['frame 12Z', 6, 'expected an identifier'],
    ['signal Engine.Sped > 1', 14, 'did you mean Speed?'],
    ['frame 123 on body', 13, 'no channel body'],
    ['e2e_error door/Wheels', 10, 'no running instance door'],
    ['e2e_error cabin/Doors', 10, 'no received message Doors has an E2E check'],
    ['e2e_error cabin/Secret', 10, 'Secret is checked by a plugin'],
  ])('refuses %s at its place', async (text, offset, message) => {
    const { error: refusal, serial } = await searching()(text);
    expect(serial).toBeNull();
    expect(refusal).toMatchObject({ code: 'invalid_argument', details: { offset } });
    expect(refusal?.message).toContain(message);
  });
});
