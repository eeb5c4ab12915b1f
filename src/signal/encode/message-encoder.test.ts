import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { Message, Signal } from '../../database/model.ts';
import { arbitraryMuxMessage } from '../testing/arbitrary-message.ts';
import { aMessage, aSignal, when } from '../testing/models.ts';
import { type EncodeRequest, MessageEncoder } from './message-encoder.ts';

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').toUpperCase();

const encoderOf = (signals: readonly Partial<Signal>[], more: Partial<Message> = {}) =>
  new MessageEncoder({ ...aMessage(signals.map(aSignal)), ...more });

const sent = (encoder: MessageEncoder, signals: Record<string, string> = {}, raw = false) => {
  const encoded = encoder.encode({ signals, raw });
  return { data: hexOf(encoded.data), signals: encoded.signals, values: encoded.values };
};

const refusalOf = (encoder: MessageEncoder, request: EncodeRequest): BusbarError => {
  try {
    encoder.encode(request);
  } catch (thrown) {
    return BusbarError.from(thrown);
  }
  throw new Error('Not refused');
};

const speed = {
  name: 'Speed',
  length: 16,
  factor: '0.25',
  unit: 'rpm',
  maximum: '8000',
  minimum: '0',
};

describe('values by name', () => {
  it('become the nearest raw value, halves away from zero', () => {
    const encoder = encoderOf([{ kind: 'signed', factor: '2' }]);
    expect(
      ['1', '-1', '0.9', '-0.9', '2.999', '3'].map((Speed) => sent(encoder, { Speed }).data),
    ).toEqual(['01', 'FF', '00', '00', '01', '02'].map((byte) => `${byte}00000000000000`));
  });

  it('are reported as encoded, with raw value, unit and label', () => {
    const encoder = encoderOf([
      speed,
      { name: 'Gear', startBit: 16, values: [{ raw: 3n, text: 'Drive' }] },
    ]);
    expect(sent(encoder, { Speed: '780.1', Gear: 'Drive' })).toEqual({
      data: '300C030000000000',
      signals: [
        { signal: 'Speed', value: '780', raw: '3120', unit: 'rpm', label: null },
        { signal: 'Gear', value: '3', raw: '3', unit: '', label: 'Drive' },
      ],
      values: { Speed: '3120', Gear: '3' },
    });
  });

  it('keep 64 bits exact', () => {
    const encoder = encoderOf([{ name: 'Odo', length: 64 }]);
    expect(sent(encoder, { Odo: '18446744073709551615' }).data).toBe('FFFFFFFFFFFFFFFF');
    expect(sent(encoder, { Odo: '9007199254740993' }).signals[0]?.value).toBe('9007199254740993');
  });

  it('reach IEEE floats, and in raw form also NaN', () => {
    const encoder = encoderOf([{ name: 'Torque', length: 32, kind: 'float32' }]);
    expect(sent(encoder, { Torque: '0.1' })).toMatchObject({
      data: 'CDCCCC3D00000000',
      signals: [{ raw: '0.1' }],
    });
    expect(sent(encoder, { Torque: 'NaN' }, true).signals).toMatchObject([
      { value: null, raw: 'NaN' },
    ]);
  });

  it('are raw values on request, which only the bits limit', () => {
    const encoder = encoderOf([speed]);
    expect(sent(encoder, { Speed: '65535' }, true)).toMatchObject({
      data: 'FFFF000000000000',
      signals: [{ value: '16383.75' }],
    });
    expect(refusalOf(encoder, { signals: { Speed: '65536' }, raw: true })).toMatchObject({
      message: 'Speed allows raw values from 0 to 65535, not 65536',
      details: { field: 'signals.Speed', minimum: '0', maximum: '65535' },
    });
  });

  it('can be labels beyond the limits', () => {
    const encoder = encoderOf([{ ...speed, values: [{ raw: 65_535n, text: 'SNA' }] }]);
    expect(sent(encoder, { Speed: 'SNA' }).data).toBe('FFFF000000000000');
  });

  it('use the first of equal labels, and negative raws as the file writes them', () => {
    const values = [255n, 3n, 4n].map((raw) => ({ raw, text: raw === 255n ? 'Error' : 'Same' }));
    const encoder = encoderOf([{ kind: 'signed', values }]);
    expect(sent(encoder, { Speed: 'Same' }).signals[0]?.raw).toBe('3');
    expect(sent(encoder, { Speed: 'Error' }).signals[0]?.raw).toBe('-1');
  });
});

it('rounds numbers of any exponent', () => {
  const encoder = encoderOf([speed, { name: 'Torque', startBit: 32, length: 32, kind: 'float32' }]);
  const tiny = { Speed: '1e-999999999', Torque: '-1e-999999999' };
  expect(sent(encoder, tiny).signals.map(({ raw }) => Math.abs(Number(raw)))).toEqual([0, 0]);
  expect(() => sent(encoder, { Speed: '-1e-999999999' })).toThrow('from 0');
});

describe('a value that cannot be', () => {
  const encoder = encoderOf([
    speed,
    { name: 'Gear', startBit: 16, values: [{ raw: 3n, text: 'Drive' }] },
    { name: 'Zero', startBit: 24, factor: '0' },
    { name: 'Torque', startBit: 32, length: 32, kind: 'float32' },
  ]);

  it.each([
    [
      'above the maximum',
      { Speed: '8000.1' },
      { reason: 'out_of_range', minimum: '0', maximum: '8000' },
    ],
    [
      'below the minimum',
      { Speed: '-1' },
      { reason: 'out_of_range', minimum: '0', maximum: '8000' },
    ],
    ['beyond the bits', { Gear: '256' }, { reason: 'out_of_range', minimum: '0', maximum: '255' }],
    ['beyond every number', { Gear: '1e999' }, { reason: 'out_of_range', maximum: '255' }],
    [
      'a label that does not exist',
      { Gear: 'Drve' },
      { reason: 'no_such_label', nearest: 'Drive' },
    ],
    [
      'a label of a signal without labels',
      { Speed: 'fast' },
      { reason: 'no_such_label', nearest: null },
    ],
    ['empty', { Gear: '' }, { reason: 'no_such_label' }],
    ['a number with spaces', { Gear: ' 3' }, { reason: 'no_such_label' }],
    ['hex', { Gear: '0x03' }, { reason: 'no_such_label' }],
    ['scaled by the factor 0', { Zero: '1' }, { reason: 'factor_0' }],
    ['too large for a float', { Torque: '1e39' }, { reason: 'out_of_range', maximum: null }],
    ['not a number for a float', { Torque: 'NaN' }, { reason: 'no_such_label' }],
  ])('is refused where it is %s', (_what, signals, details) => {
    const [name] = Object.keys(signals);
    const refusal = refusalOf(encoder, { signals: signals as Record<string, string> });
    expect(refusal).toMatchObject({ code: 'invalid_argument', details });
    expect(refusal.details.field).toBe(`signals.${name}`);
  });

  it.each([
    ['a fraction', '1.5', 'not_integer'],
    ['beyond the bits', '-1', 'out_of_range'],
    ['NaN for an integer', 'NaN', 'no_such_label'],
  ])('is refused as a raw value where it is %s', (_what, Gear, reason) => {
    expect(refusalOf(encoder, { signals: { Gear }, raw: true }).details).toMatchObject({
      field: 'signals.Gear',
      reason,
    });
  });

  it('is refused for a signal that the message lacks, with the nearest', () => {
    expect(refusalOf(encoder, { signals: { Sped: '1' } })).toMatchObject({
      code: 'signal_not_found',
      message: 'Engine has no signal Sped. Did you mean Speed?',
      details: { field: 'signals.Sped', signal: 'Sped', nearest: 'Speed' },
    });
    const own = JSON.parse('{"__proto__":"1"}') as Record<string, string>;
    expect(refusalOf(encoder, { signals: own }).code).toBe('signal_not_found');
  });

  it('is refused for signals that cannot be encoded', () => {
    const odd = encoderOf([
      { name: 'Far', startBit: 60, length: 8 },
      { name: 'Lost', startBit: 8, multiplexing: when('Nowhere', 1) },
      { name: 'Fine', startBit: 16 },
    ]);
    expect(refusalOf(odd, { signals: { Far: '1' } }).details.reason).toBe('outside_message');
    expect(refusalOf(odd, { signals: { Lost: '1' } }).details.reason).toBe('not_encodable');
    expect(sent(odd, { Fine: '7' }).data).toBe('0000070000000000');
  });

  it('is refused where two named signals share bits and differ', () => {
    const pair = encoderOf([{ name: 'Low' }, { name: 'Same', startBit: 4, length: 8 }]);
    expect(refusalOf(pair, { signals: { Low: '255', Same: '0' } }).details).toMatchObject({
      field: 'signals.Low',
      reason: 'overlaps',
    });
    expect(sent(pair, { Low: '240' }).data).toBe('F000000000000000');
    expect(sent(pair, { Same: '255' }).data).toBe('F00F000000000000');
  });
});

describe('signals that are not named', () => {
  it.each([
    ['the start value of the file', { initialRaw: '12' }, '0C'],
    ['a start value outside the limits', { initialRaw: '200', minimum: '0', maximum: '10' }, 'C8'],
    ['a start value in scientific notation', { initialRaw: '1.2E+1' }, '0C'],
    ['0 where the start value does not fit', { initialRaw: '256' }, '00'],
    ['0 within the limits', { minimum: '-5', maximum: '5' }, '00'],
    ['0 without limits', { minimum: '3', maximum: '3' }, '00'],
    ['the minimum where 0 is outside', { minimum: '3', maximum: '9' }, '03'],
    ['the minimum, rounded', { factor: '2', minimum: '3', maximum: '9' }, '02'],
    ['the minimum of an offset', { offset: '-40', minimum: '-10', maximum: '9' }, '1E'],
    [
      'the raw value for the minimum where raw 0 is too large',
      { offset: '40', factor: '-1', minimum: '10', maximum: '20' },
      '1E',
    ],
    ['the end of the bits where they hold no minimum', { minimum: '300', maximum: '400' }, 'FF'],
  ])('have %s', (_what, signal, byte) => {
    expect(sent(encoderOf([signal])).data).toBe(`${byte}00000000000000`);
  });

  it('are all ones in J1939 without a start value, like bits without a signal', () => {
    const encoder = encoderOf(
      [
        { name: 'Torque', length: 32, kind: 'float32' },
        { name: 'Mode', startBit: 32, length: 4 },
        { name: 'Level', startBit: 40, initialRaw: '7' },
      ],
      { pgn: 0xf004, extended: true },
    );
    expect(sent(encoder).data).toBe('FFFFFFFFFF07FFFF');
    expect(sent(encoder, { Mode: '0' }).data).toBe('FFFFFFFFF007FFFF');
  });

  it('leave bits without a signal 0 elsewhere', () => {
    expect(sent(encoderOf([{ length: 4, initialRaw: '15' }])).data).toBe('0F00000000000000');
  });
});

const muxed = [
  { name: 'Page', length: 4, isSwitch: true },
  { name: 'A', startBit: 8, multiplexing: when('Page', 1) },
  { name: 'B', startBit: 8, multiplexing: when('Page', [2, 3], 7) },
  { name: 'C', startBit: 16, multiplexing: when('Page', [3, 5]) },
  { name: 'Inner', startBit: 24, isSwitch: true, multiplexing: when('Page', 4) },
  { name: 'Deep', startBit: 32, multiplexing: when('Inner', 9) },
];

describe('a multiplexer', () => {
  const encoder = encoderOf(muxed);

  it('gets the lowest value that selects every named signal', () => {
    expect(sent(encoder, { B: '17' }).data).toBe('0211000000000000');
    expect(sent(encoder, { B: '17', C: '1' }).data).toBe('0311010000000000');
    expect(sent(encoder, { Deep: '5' }).data).toBe('0400000905000000');
  });

  it('keeps the value that the sender gives', () => {
    expect(sent(encoder, { Page: '7', B: '17' }).data).toBe('0711000000000000');
    expect(refusalOf(encoder, { signals: { Page: '1', B: '17' } }).details).toMatchObject({
      field: 'signals.B',
      reason: 'not_selected',
      switch: 'Page',
    });
  });

  it('refuses signals of two pages together', () => {
    expect(refusalOf(encoder, { signals: { A: '1', B: '2' } })).toMatchObject({
      code: 'invalid_argument',
      details: { field: 'signals.B', reason: 'not_together', with: 'A', switch: 'Page' },
    });
    expect(refusalOf(encoder, { signals: { A: '1', Deep: '2' } }).details.reason).toBe(
      'not_together',
    );
  });

  it('shows only the signals of its page', () => {
    expect(sent(encoder, { A: '1' }).signals.map(({ signal }) => signal)).toEqual(['Page', 'A']);
  });

  it('can be signed, with pages below zero', () => {
    const signed = encoderOf([
      { name: 'Page', kind: 'signed', isSwitch: true },
      { name: 'A', startBit: 8, multiplexing: when('Page', 255, 3) },
    ]);
    expect(sent(signed, { A: '1' }).data).toBe('FF01000000000000');
  });
});

describe('a change of a frame', () => {
  const encoder = encoderOf([...muxed, { name: 'Speed', startBit: 40 }]);
  const changed = (...steps: Record<string, string>[]): string => {
    let last = encoder.encode({ signals: {} });
    for (const signals of steps) last = encoder.encode({ signals, before: last.values });
    return hexOf(last.data);
  };

  it('keeps what was named before', () => {
    expect(changed({ Speed: '9' }, { A: '1' })).toBe('0101000000090000');
  });

  it('keeps the page unless a named signal needs another', () => {
    expect(changed({ C: '1', Page: '4' }, { Speed: '9' })).toBe('0400010000090000');
    expect(changed({ Page: '5', C: '1' }, { C: '2' })).toBe('0500020000000000');
    expect(changed({ B: '6' }, { A: '1' })).toBe('0101000000000000');
  });

  it('remembers the values of a page that is shown again', () => {
    expect(changed({ A: '6' }, { B: '1' }, { Page: '1' })).toBe('0106000000000000');
  });
});

describe('any message', () => {
  it('decodes to the raw values it was given', () => {
    fc.assert(
      fc.property(
        arbitraryMuxMessage,
        fc.uint8Array({ minLength: 8, maxLength: 8 }),
        (message, data) => {
          const encoder = new MessageEncoder(message);
          const shown = encoder.signalsOf(data);
          const signals = Object.fromEntries(shown.map(({ signal, raw }) => [signal, raw]));
          const again = encoder.encode({ signals, raw: true });
          expect(again.signals).toEqual(shown);
          expect(again.values).toEqual(signals);
        },
      ),
      { seed: 41, numRuns: 100 },
    );
  });
});
