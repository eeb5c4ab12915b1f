import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message, Signal } from '../../../src/database/model.ts';
import { compileDecoder } from '../../../src/signal/compile-decoder.ts';
import { MessageEncoder } from '../../../src/signal/encode/message-encoder.ts';
import { RawValues } from '../../../src/signal/raw-values.ts';
import { SampleText } from '../../../src/signal/sample-text.ts';
import { limitsOf } from '../../../src/signal/signal-limits.ts';
import { ValueInput } from '../../../src/signal/value-input.ts';
import type { DatabaseMessage, DatabaseSignal } from '../api/client.ts';
import { decodeMessage } from './decode-message.ts';
import { encodeMessage, inputOf, type SignalInputs, signalTexts } from './encode-message.ts';
import { encodeSignal } from './encode-signal.ts';
import { aMessage, aSignal, when } from './testing/models.ts';

const modelOf = (signal: DatabaseSignal): Signal => ({
  name: signal.name,
  startBit: signal.start_bit,
  length: signal.length,
  byteOrder: signal.byte_order,
  kind: signal.kind,
  factor: signal.factor,
  offset: signal.offset,
  minimum: signal.minimum,
  maximum: signal.maximum,
  unit: signal.unit,
  receivers: [],
  isSwitch: signal.is_switch,
  multiplexing: signal.multiplexing && {
    switch: signal.multiplexing.switch,
    ranges: signal.multiplexing.ranges.map(({ from, to }) => ({
      from: BigInt(from),
      to: BigInt(to),
    })),
  },
  values: signal.values.map(({ raw, text }) => ({ raw: BigInt(raw), text })),
  initialRaw: signal.start_value,
  comment: null,
  attributes: {},
});

const messageModelOf = (message: DatabaseMessage): Message => ({
  name: message.name,
  id: message.id,
  extended: message.extended,
  ...(message.pgn === null ? {} : { pgn: message.pgn }),
  fd: message.fd,
  brs: message.brs,
  length: message.length,
  senders: [],
  cycleTimeMs: null,
  comment: null,
  attributes: {},
  signals: message.signals.map(modelOf),
});

/** Signal values that the service's decoder reads from a payload, by signal name. */
const decoded = (message: DatabaseMessage, bytes: Uint8Array) => {
  const model = messageModelOf(message);
  const { signals, decode, newValues } = compileDecoder(model);
  const values = newValues();
  decode(new DataView(bytes.buffer), 0, bytes.length, values);
  const text = new SampleText(signals);
  return new Map(signals.map(({ name }, number) => [name, text.textOf(values, number)]));
};

const placed = fc.record({
  start_bit: fc.integer({ min: 0, max: 500 }),
  byte_order: fc.constantFrom('intel' as const, 'motorola' as const),
  factor: fc.constantFrom('1', '0.1', '-0.25', '0.00390625', '3', '1e-3', '12.5'),
  offset: fc.constantFrom('0', '-40', '0.5', '1e3', '-273.15'),
});

const integerSignal = fc
  .tuple(
    placed,
    fc.record({
      kind: fc.constantFrom('unsigned' as const, 'signed' as const),
      length: fc.integer({ min: 1, max: 64 }),
    }),
  )
  .map(([place, shape]) => aSignal({ ...place, ...shape }));

const inMessage = (signal: DatabaseSignal): DatabaseMessage => aMessage([signal], 64);

/** A possible raw value of the signal, chosen by a fraction of its range. */
const rawAt = ({ kind, length }: DatabaseSignal, share: bigint): bigint => {
  const values = 1n << BigInt(length);
  return (share % values) - (kind === 'signed' ? values / 2n : 0n);
};

describe('what the console encodes', () => {
  it('decodes to the same raw and physical value, whatever the layout and the scale', () => {
    fc.assert(
      fc.property(integerSignal, fc.bigInt({ min: 0n, max: 2n ** 64n }), (signal, share) => {
        const message = inMessage(signal);
        const raw = rawAt(signal, share);
        const payload = encodeMessage(message, {
          [signal.name]: { as: 'raw', text: raw.toString() },
        });
        fc.pre(payload.isComplete);
        const read = decoded(message, payload.bytes).get(signal.name);
        expect(read?.raw).toBe(raw.toString());
        const again = encodeMessage(message, {
          [signal.name]: { as: 'physical', text: read?.value ?? '' },
        });
        expect(again.bytes).toEqual(payload.bytes);
        expect(again.signals[0]?.encoded.warning).toBeNull();
      }),
      { seed: 41, numRuns: 150 },
    );
  });

  it('decodes to the nearest float that there is', () => {
    const value = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e30, max: 1e30 });
    const kind = fc.constantFrom('float32' as const, 'float64' as const);
    fc.assert(
      fc.property(placed, kind, value, (place, floatKind, number) => {
        const length = floatKind === 'float32' ? 32 : 64;
        const shape = { kind: floatKind, length, factor: '1', offset: '0' };
        const signal = aSignal({ ...place, ...shape });
        const { bytes, isComplete } = encodeMessage(inMessage(signal), {
          [signal.name]: { as: 'physical', text: String(number) },
        });
        fc.pre(isComplete);
        const asStored = floatKind === 'float32' ? Math.fround : (each: number) => each;
        const read = Number(decoded(inMessage(signal), bytes).get(signal.name)?.raw);
        expect(asStored(read) + 0).toBe(asStored(number) + 0);
      }),
      { seed: 42, numRuns: 100 },
    );
  });

  it('decodes to exactly the signals that are shown, however switches depend on each other', () => {
    const entry = fc.record({
      parent: fc.integer({ min: -1, max: 8 }),
      from: fc.integer({ min: 0, max: 3 }),
      span: fc.integer({ min: 0, max: 2 }),
      value: fc.integer({ min: 0, max: 3 }),
    });
    fc.assert(
      fc.property(fc.array(entry, { minLength: 2, maxLength: 9 }), (entries) => {
        const signals = entries.map(({ parent, from, span }, at) =>
          aSignal({
            name: `S${at}`,
            start_bit: 2 * at,
            length: 2,
            is_switch: true,
            multiplexing:
              parent < 0 || at === 0
                ? null
                : {
                    switch: `S${parent % at}`,
                    ranges: [{ from: String(from), to: String(from + span) }],
                  },
          }),
        );
        const message = aMessage(signals, 8);
        const inputs: SignalInputs = Object.fromEntries(
          entries.map(({ value }, at) => [`S${at}`, { as: 'raw', text: String(value) }]),
        );
        const composed = encodeMessage(message, inputs);
        const present = [...decoded(message, composed.bytes)].filter(([, text]) => text !== null);
        expect(composed.signals.map(({ signal, encoded }) => [signal.name, encoded.raw])).toEqual(
          present.map(([name, text]) => [name, text?.raw]),
        );
      }),
      { seed: 43, numRuns: 100 },
    );
  });
});

describe('what the console shows of a message before it is sent by name', () => {
  const limits = fc.constantFrom([null, null], ['0', '0'], ['2', '9'], ['-3', '12']);
  const entry = fc.record({
    kind: fc.constantFrom('unsigned' as const, 'signed' as const),
    factor: fc.constantFrom('1', '0.5', '-0.25'),
    limits,
    start: fc.option(fc.integer({ min: -8, max: 15 })),
    page: fc.option(fc.integer({ min: 0, max: 3 })),
    hasLabels: fc.boolean(),
    given: fc.option(fc.integer({ min: -8, max: 30 })),
  });

  it('is the frame that the service encodes, with its start values, pages and unused bits', () => {
    fc.assert(
      fc.property(
        fc.array(entry, { minLength: 1, maxLength: 7 }),
        fc.boolean(),
        (entries, isJ1939) => {
          const page = aSignal({ name: 'Page', length: 2, is_switch: true });
          const signals = entries.map(({ kind, factor, limits: [minimum, maximum], ...each }, at) =>
            aSignal({
              name: `S${at}`,
              start_bit: 8 * (at + 1),
              length: 5,
              ...{ kind, factor, minimum: minimum ?? null, maximum: maximum ?? null },
              start_value: each.start === null ? null : String(each.start),
              multiplexing: each.page === null ? null : when('Page', [each.page, 3]),
              values: each.hasLabels
                ? [
                    { raw: '3', text: 'third' },
                    { raw: '4', text: '7' },
                  ]
                : [],
            }),
          );
          const message = aMessage([page, ...signals], 8, { pgn: isJ1939 ? 0xf004 : null });
          const inputs: SignalInputs = Object.fromEntries(
            entries.flatMap(({ given, hasLabels }, at) => {
              if (given === null) return [];
              const isLabel = hasLabels && given % 2 === 0;
              const text = isLabel ? '3' : String(given / 2);
              return [[`S${at}`, { as: isLabel ? 'raw' : 'physical', text }]];
            }),
          );
          const composed = encodeMessage(message, inputs);
          fc.pre(composed.isComplete);
          fc.pre(composed.signals.every(({ encoded }) => !encoded.warning?.startsWith('Outside')));
          const encoder = new MessageEncoder(messageModelOf(message));
          const sent = encoder.encode({ signals: signalTexts(composed) });
          expect(composed.bytes).toEqual(sent.data);
          for (const { signal, raw } of sent.signals) {
            const shown = composed.signals.find((each) => each.signal.name === signal);
            expect(shown?.encoded.raw).toBe(raw);
          }
        },
      ),
      { seed: 47, numRuns: 400 },
    );
  });

  it('is edited again as it was entered', () => {
    const signal = aSignal({
      values: [
        { raw: '3', text: 'third' },
        { raw: '4', text: '7' },
      ],
    });
    for (const input of [
      { as: 'raw', text: '3' },
      { as: 'physical', text: '12' },
    ] as const) {
      const [text = ''] = Object.values(
        signalTexts(encodeMessage(inMessage(signal), { Speed: input })),
      );
      expect(inputOf(signal, text)).toEqual(input);
    }
    const seven = encodeMessage(inMessage(signal), { Speed: { as: 'raw', text: '4' } });
    expect(signalTexts(seven)).toEqual({ Speed: '4' });
  });
});

describe('what the console takes for a value outside the limits', () => {
  const limit = fc.option(fc.constantFrom('-5', '0', '0.0', '99.5', '100', '254.75', '1e3'));
  const shape = fc.record({
    kind: fc.constantFrom('unsigned' as const, 'signed' as const),
    factor: fc.constantFrom('1', '0.5', '-0.25', '0.39215686275'),
    minimum: limit,
    maximum: limit,
  });

  it('is what the service takes for one, however the limits are written', () => {
    fc.assert(
      fc.property(shape, fc.integer({ min: -128, max: 127 }), (given, share) => {
        const signal = aSignal(given);
        const raw = given.kind === 'signed' ? share : share + 128;
        const value = decoded(inMessage(signal), Uint8Array.of(raw)).get(signal.name)?.value ?? '';
        const { warning } = encodeSignal(signal, { as: 'physical', text: value });
        const isWithin = limitsOf(modelOf(signal)).include(value);
        expect(warning?.startsWith('Outside') ?? false).toBe(!isWithin);
      }),
      { seed: 45, numRuns: 300 },
    );
  });
});

describe('what the console makes of a value that is typed', () => {
  const near = ['9007199254740991', '9007199254740992', '9007199254740993'] as const;
  const limit = fc.option(fc.constantFrom('0', '-100', '100', '99.7', '1e2', ...near));
  const typed = fc.oneof(
    fc.constantFrom('5', '100', '100.2', '-100', '-100.1', ...near),
    fc.integer({ min: -3000, max: 3000 }).map((tenths) => String(tenths / 10)),
  );
  const shape = fc.record({
    kind: fc.constantFrom('unsigned' as const, 'signed' as const, 'float64' as const),
    length: fc.constantFrom(8, 64),
    factor: fc.constantFrom('1', '0.5', '-0.391', '0.39215686275'),
    offset: fc.constantFrom('0', '-40'),
    minimum: limit,
    maximum: limit,
  });

  /** The raw value that the service encodes; null if it rejects the value. */
  const taken = (signal: Signal, text: string, enforceLimits: boolean): string | null => {
    const values = new RawValues([signal]);
    try {
      new ValueInput([signal]).setPhysical(values, 0, text, { enforceLimits });
      return String(values.get(0));
    } catch {
      return null;
    }
  };

  it('is the raw value of the service, within limits that are the same to the last digit', () => {
    fc.assert(
      fc.property(shape, typed, (given, text) => {
        const length = given.kind === 'float64' ? 64 : given.length;
        const signal = aSignal({ ...given, length });
        const { raw, problem, warning } = encodeSignal(signal, { as: 'physical', text });
        const model = modelOf(signal);
        expect(problem === null ? raw : null).toBe(taken(model, text, false));
        const isWithin = limitsOf(model).include(text);
        if (problem === null) expect(warning?.startsWith('Outside') ?? false).toBe(!isWithin);
        if (!isWithin) expect(taken(model, text, true)).toBeNull();
      }),
      { seed: 46, numRuns: 500 },
    );
  });

  it('is outside of limits that are one double', () => {
    const signal = aSignal({ length: 64, minimum: near[1], maximum: near[2] });
    const { warning } = encodeSignal(signal, { as: 'physical', text: '5' });
    expect(warning).toBe(`Outside the range ${near[1]} … ${near[2]}`);
    expect(limitsOf(modelOf(signal)).include('5')).toBe(false);
  });
});

describe('what the console decodes', () => {
  it('has the text of the service for floats between which a double is half way', () => {
    const signal = aSignal({ kind: 'float32', length: 32, byte_order: 'motorola', start_bit: 7 });
    for (const pattern of [0x15ae43fd, 0x15ae43fe]) {
      const data = new Uint8Array(4);
      new DataView(data.buffer).setUint32(0, pattern);
      const [read] = decodeMessage(inMessage(signal), data);
      expect(read?.raw).toBe(decoded(inMessage(signal), data).get(signal.name)?.raw);
    }
  });

  const kind = fc.constantFrom('unsigned' as const, 'signed' as const);
  const labels = fc.array(fc.integer({ min: -20, max: 20 }), { maxLength: 6 });
  const entry = fc.record({
    kind,
    parent: fc.integer({ min: -1, max: 8 }),
    from: fc.integer({ min: -10, max: 18 }),
    span: fc.integer({ min: 0, max: 6 }),
    place: fc.integer({ min: 0, max: 60 }),
    byte_order: fc.constantFrom('intel' as const, 'motorola' as const),
    factor: fc.constantFrom('1', '0.1', '-0.25', '1e-3'),
    offset: fc.constantFrom('0', '-40', '0.5'),
    labels,
  });

  it('is what the service decodes: the same signals, values and labels, however ranges are written', () => {
    fc.assert(
      fc.property(
        fc.array(entry, { minLength: 2, maxLength: 9 }),
        fc.uint8Array({ minLength: 0, maxLength: 8 }),
        (entries, data) => {
          const signals = entries.map(({ parent, from, span, place, ...given }, at) =>
            aSignal({
              name: `S${at}`,
              start_bit: place,
              length: 4,
              kind: given.kind,
              byte_order: given.byte_order,
              factor: given.factor,
              offset: given.offset,
              values: given.labels.map((raw, i) => ({ raw: String(raw), text: `label ${i}` })),
              is_switch: true,
              multiplexing:
                parent < 0 || at === 0 ? null : when(`S${parent % at}`, [from, from + span]),
            }),
          );
          const message = aMessage(signals, 9);
          const read = decodeMessage(message, data).map(({ signal, state, raw, value, label }) => [
            signal.name,
            state === 'present' ? { raw, value, label } : null,
          ]);
          const service = [...decoded(message, data)].map(([name, text]) => [
            name,
            text && { raw: text.raw, value: text.value, label: text.label },
          ]);
          expect(read).toEqual(service);
        },
      ),
      { seed: 44, numRuns: 300 },
    );
  });
});
