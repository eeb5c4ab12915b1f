import { describe, expect, it } from 'vitest';
import { eventually } from '../support/workbench.ts';
import { refusedOverHttp } from './support/channel-bench.ts';
import { shareSignalBench } from './support/signal-bench.ts';

const values = `VERSION ""
BU_: ECU
BO_ 256 Wide: 8 ECU
 SG_ Unsigned : 0|64@1+ (1,0) [0|0] "" ECU
BO_ 257 Deep: 8 ECU
 SG_ Signed : 0|64@1- (1,0) [0|0] "" ECU
BO_ 258 Scaled: 8 ECU
 SG_ Tenth : 0|32@1+ (0.1,0) [0|0] "rpm" ECU
 SG_ Cold : 32|8@1- (0.5,-40) [-60|20] "degC" ECU
 SG_ Motorola : 47|16@0+ (0.001,0) [0|0] "" ECU
BO_ 259 Huge: 8 ECU
 SG_ Fraction : 0|64@1+ (0.001,0.5) [0|0] "" ECU
BO_ 260 Floats: 12 ECU
 SG_ Single : 0|32@1- (1,0) [0|0] "V" ECU
 SG_ Double : 32|64@1- (1,0) [-1|1] "A" ECU
BO_ 261 Gear: 1 ECU
 SG_ Lever : 0|4@1- (1,0) [0|5] "" ECU
 SG_ Lamp : 4|1@1+ (1,0) [0|1] "" ECU
BO_ 262 Pages: 4 ECU
 SG_ Page M : 0|8@1+ (1,0) [0|0] "" ECU
 SG_ Zero m0 : 8|8@1+ (1,0) [0|0] "" ECU
 SG_ One m1 : 8|16@1- (0.5,0) [0|0] "bar" ECU
 SG_ Always : 24|8@1+ (1,0) [0|0] "" ECU
BO_ 2147483910 Extended: 1 ECU
 SG_ Byte : 0|8@1+ (1,0) [0|0] "" ECU
BO_ 263 Empty: 8 ECU
 SG_ Byte : 0|8@1+ (1,0) [0|0] "" ECU
 SG_ Last : 56|8@1+ (1,0) [0|0] "" ECU

VAL_ 261 Lever -1 "Reverse" 0 "Neutral" 1 "First" ;
VAL_ 261 Lamp 1 "On" 0 "Off" ;
SIG_VALTYPE_ 260 Single : 1;
SIG_VALTYPE_ 260 Double : 2;
`;

interface Expected {
  readonly value: string | null;
  readonly raw: string;
  readonly label?: string;
  readonly unit?: string;
  readonly valid?: boolean;
}

const float32 = (value: number): string => {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return bytes.toString('hex');
};

const float64 = (value: number): string => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes.toString('hex');
};

describe('samples', () => {
  const bench = shareSignalBench(async (fresh) => {
    await fresh.openSegment();
    await fresh.use('values', values);
  });

  /** Sends one frame of a message and returns the plan that has decoded it. */
  const decode = async (message: string, frame: object): Promise<string> => {
    const { plan_id } = await bench.plan({ database: 'values', message });
    await bench.transmit(frame);
    await bench.decoded(plan_id, 1);
    return plan_id;
  };

  const cases: [message: string, frame: object, expected: Record<string, Expected>][] = [
    [
      'Wide',
      { id: 256, data: 'FFFFFFFFFFFFFFFF' },
      { Unsigned: { value: '18446744073709551615', raw: '18446744073709551615' } },
    ],
    [
      'Wide',
      { id: 256, data: '0100000000002000' },
      { Unsigned: { value: '9007199254740993', raw: '9007199254740993' } },
    ],
    [
      'Deep',
      { id: 257, data: '0000000000000080' },
      { Signed: { value: '-9223372036854775808', raw: '-9223372036854775808' } },
    ],
    [
      'Scaled',
      { id: 258, data: '03000000D81234' },
      {
        Tenth: { value: '0.3', raw: '3', unit: 'rpm' },
        Cold: { value: '-60', raw: '-40', unit: 'degC' },
        Motorola: { value: '4.66', raw: '4660' },
      },
    ],
    [
      'Scaled',
      { id: 258, data: 'FFFFFFFFD70000' },
      {
        Tenth: { value: '429496729.5', raw: '4294967295', unit: 'rpm' },
        Cold: { value: '-60.5', raw: '-41', unit: 'degC', valid: false },
        Motorola: { value: '0', raw: '0' },
      },
    ],
    [
      'Huge',
      { id: 259, data: 'FFFFFFFFFFFFFFFF' },
      { Fraction: { value: '18446744073709552.115', raw: '18446744073709551615' } },
    ],
    [
      'Floats',
      { id: 260, fd: true, data: float32(0.1) + float64(0.1) },
      {
        Single: { value: '0.1', raw: '0.1', unit: 'V' },
        Double: { value: '0.1', raw: '0.1', unit: 'A' },
      },
    ],
    [
      'Floats',
      { id: 260, fd: true, data: float32(Number.NaN) + float64(Number.NEGATIVE_INFINITY) },
      {
        Single: { value: null, raw: 'NaN', unit: 'V', valid: false },
        Double: { value: null, raw: '-Infinity', unit: 'A', valid: false },
      },
    ],
    [
      'Floats',
      { id: 260, fd: true, data: float32(-2.5) + float64(1.5) },
      {
        Single: { value: '-2.5', raw: '-2.5', unit: 'V' },
        Double: { value: '1.5', raw: '1.5', unit: 'A', valid: false },
      },
    ],
    [
      'Gear',
      { id: 261, data: '1F' },
      {
        Lever: { value: '-1', raw: '-1', label: 'Reverse', valid: false },
        Lamp: { value: '1', raw: '1', label: 'On' },
      },
    ],
    [
      'Gear',
      { id: 261, data: '05' },
      {
        Lever: { value: '5', raw: '5' },
        Lamp: { value: '0', raw: '0', label: 'Off' },
      },
    ],
    ['Extended', { id: 262, extended: true, data: '07' }, { Byte: { value: '7', raw: '7' } }],
  ];

  it.each(cases)('of %s are exact: %j', async (message, frame, expected) => {
    const plan = await decode(message, frame);
    for (const [signal, { label = null, unit = '', valid = true, ...rest }] of Object.entries(
      expected,
    )) {
      const sample = await bench.latest(plan, signal);
      expect(sample).toEqual({
        plan_id: plan,
        sequence: expect.any(Number),
        signal,
        ...rest,
        label,
        unit,
        valid,
        timestamp_us: expect.any(Number),
        event_id: expect.any(Number),
        mux: sample.mux,
        source_address: null,
      });
      expect((await bench.page(plan, signal)).samples).toEqual([sample]);
      expect(await bench.json('signal', 'latest', plan, signal)).toEqual(sample);
    }
  });

  it('have the id and the time of their raw event', async () => {
    const newest = (await bench.events('engine')).at(-1)?.event_id ?? 0;
    const plan = await decode('Gear', { id: 261, data: '01' });
    const [event] = await bench.events('engine', newest);
    const sample = await bench.latest(plan, 'Lever');
    expect(sample).toMatchObject({
      event_id: event?.event_id,
      timestamp_us: event?.timestamp_us,
    });
    expect(await bench.json('signal', 'latest', plan, 'Lever')).toEqual(sample);
  });

  it('are there only of the page that a frame carries', async () => {
    const plan = await decode('Pages', { id: 262, data: '01FEFF09' });
    expect(await bench.latest(plan, 'Page')).toMatchObject({ value: '1' });
    expect(await bench.latest(plan, 'One')).toMatchObject({ value: '-1', raw: '-2', unit: 'bar' });
    expect(await bench.latest(plan, 'Always')).toMatchObject({ value: '9' });
    for (const answer of [
      await bench.latestAnswer(plan, 'Zero'),
      await bench.pageAnswer(plan, 'Zero'),
    ])
      expect(refusedOverHttp(answer)).toEqual({
        status: 404,
        code: 'no_sample',
        details: { plan, signal: 'Zero' },
      });
    await bench.transmit({ id: 262, data: '00070009' });
    await bench.transmit({ id: 262, data: '02070009' });
    await bench.decoded(plan, 3);
    const one = await bench.page(plan, 'One');
    const zero = await bench.page(plan, 'Zero');
    expect(one.samples).toHaveLength(1);
    expect(zero.samples.map(({ value }) => value)).toEqual(['7']);
    expect((await bench.page(plan, 'Page')).samples.map(({ value }) => value)).toEqual([
      '1',
      '0',
      '2',
    ]);
  });

  it('of a frame that is too short are those that it holds', async () => {
    const plan = await decode('Empty', { id: 263, data: '2A' });
    expect(await bench.latest(plan, 'Byte')).toMatchObject({ value: '42' });
    expect(refusedOverHttp(await bench.latestAnswer(plan, 'Last'))).toMatchObject({
      status: 404,
      code: 'no_sample',
    });
    await bench.transmit({ id: 263, data: '00000000000000FF' });
    await bench.transmit({ id: 263, data: '01020304050607' });
    await bench.decoded(plan, 3);
    expect(await bench.latest(plan, 'Last')).toMatchObject({ value: '255' });
    expect((await bench.page(plan, 'Last')).samples).toHaveLength(1);
    expect((await bench.page(plan, 'Byte')).samples).toHaveLength(3);
  });

  it('come of frames sent and received, of the format and the channel of the plan alone', async () => {
    const request = { database: 'values', message: 'Gear' };
    const sent = await bench.plan(request);
    const received = await bench.plan({ ...request, channel: 'peer' });
    await bench.transmit({ id: 261, data: '01' });
    await bench.decoded(sent.plan_id, 1);
    await bench.decoded(received.plan_id, 1);
    const [out, back] = [
      await bench.latest(sent.plan_id, 'Lever'),
      await bench.latest(received.plan_id, 'Lever'),
    ];
    expect([out.value, back.value]).toEqual(['1', '1']);
    expect(back.event_id).toBeGreaterThan(out.event_id);

    await bench.transmit({ id: 261, type: 'remote', dlc: 1 });
    await bench.transmit({ id: 261, extended: true, data: '02' });
    await bench.transmit({ id: 0x106, data: '02' });
    await bench.transmit({ id: 261, fd: true, data: '03' });
    await bench.decoded(sent.plan_id, 2);
    await bench.decoded(received.plan_id, 2);
    const page = await bench.page(sent.plan_id, 'Lever');
    expect(page.samples.map(({ value }) => value)).toEqual(['1', '3']);
  });

  it('do not come of error frames, although these have ids and data too', async () => {
    // No node acknowledges a lone node, so that every attempt ends with an error frame.
    await bench.open('SIM00001/2', { name: 'lone' });
    const noAcknowledge = 0x2a0;
    await bench.use(
      'errors',
      `BO_ ${noAcknowledge} Error: 8 ECU\n SG_ Byte : 0|8@1+ (1,0) [0|0] "" ECU\n`,
    );
    const { plan_id } = await bench.plan({ channel: 'lone', database: 'errors', message: 'Error' });
    await bench.send({ channel: 'lone', id: 1, data: '01' });
    await eventually(async () => {
      const events = await bench.events('lone');
      return events.filter(({ id, error }) => error && id === noAcknowledge).length > 5;
    });
    expect((await bench.plans()).find((plan) => plan.plan_id === plan_id)).toMatchObject({
      frames: 0,
    });
    expect(refusedOverHttp(await bench.latestAnswer(plan_id, 'Byte'))).toMatchObject({
      code: 'no_sample',
    });
  });

  it('of all plans share one counter', async () => {
    const one = await bench.plan({ database: 'values', message: 'Gear' });
    const two = await bench.plan({ database: 'values', message: 'Gear', signals: ['Lamp'] });
    for (let frame = 0; frame < 5; frame++) await bench.transmit({ id: 261, data: '10' });
    await bench.decoded(two.plan_id, 5);
    await bench.decoded(one.plan_id, 5);
    const pages = [
      await bench.page(one.plan_id, 'Lever'),
      await bench.page(one.plan_id, 'Lamp'),
      await bench.page(two.plan_id, 'Lamp'),
    ];
    const sequences = pages.flatMap(({ samples }) => samples.map(({ sequence }) => sequence));
    expect(new Set(sequences).size).toBe(15);
    const byFrame = pages.flatMap(({ samples }) => samples);
    byFrame.sort((first, second) => first.sequence - second.sequence);
    const events = byFrame.map(({ event_id }) => event_id);
    expect(events).toEqual([...events].sort((first, second) => first - second));
  });
});
