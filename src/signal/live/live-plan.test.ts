import { describe, expect, it } from 'vitest';
import type { Signal } from '../../database/model.ts';
import { aMessage, aSignal } from '../testing/models.ts';
import { LiveBench, startUs } from './testing/live-bench.ts';
import { pagedMessage } from './testing/paged-message.ts';

const eight = (fill: number): Uint8Array => new Uint8Array(8).fill(fill);

const float64Bytes = (value: number): Uint8Array => {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value, true);
  return new Uint8Array(view.buffer);
};

/** The newest sample of a signal after one frame. */
const sampleOf = (given: Partial<Signal>, data: ArrayLike<number>) => {
  const bench = new LiveBench();
  const plan = bench.plan(aMessage([aSignal(given)], Math.max(8, data.length)));
  bench.frame(data);
  return plan.latest('Speed');
};

describe('LivePlan', () => {
  it('gives the newest sample of a signal with all that belongs to it', () => {
    const bench = new LiveBench();
    const plan = bench.plan(
      aMessage([
        aSignal({ name: 'Other' }),
        aSignal({
          factor: '0.1',
          offset: '-40',
          unit: '°C',
          minimum: '-40',
          maximum: '100',
          values: [{ raw: 255n, text: 'broken' }],
        }),
      ]),
    );
    bench.frame([7]);
    bench.frame([255]);
    expect(plan.latest('Speed')).toEqual({
      sequence: 4,
      signal: 'Speed',
      value: '-14.5',
      raw: '255',
      label: 'broken',
      unit: '°C',
      valid: true,
      timestamp_us: startUs + 1000,
      event_id: 2,
      mux: null,
      source_address: null,
    });
    expect([plan.frames, plan.samples]).toEqual([2, 4]);
  });

  it.each<[string, Partial<Signal>, ArrayLike<number>, string, string]>([
    ['64 bits', { length: 64 }, eight(0xff), '18446744073709551615', '18446744073709551615'],
    ['64 bits with a sign', { length: 64, kind: 'signed' }, eight(0xff), '-1', '-1'],
    [
      // As a double these bits are a NaN that copying may change.
      '64 bits that look like a signalling NaN',
      { length: 64 },
      [1, 0, 0, 0, 0, 0, 0xf0, 0x7f],
      '9218868437227405313',
      '9218868437227405313',
    ],
    [
      '100 bits',
      { length: 100 },
      new Uint8Array(16).fill(0xff),
      '1267650600228229401496703205375',
      '1267650600228229401496703205375',
    ],
    [
      'tenths',
      { length: 54, factor: '0.1' },
      eight(0xff),
      '1801439850948198.3',
      '18014398509481983',
    ],
  ])('is exact for %s', (_, given, data, value, raw) => {
    expect(sampleOf(given, data)).toMatchObject({ value, raw, valid: true });
  });

  it.each([
    [Number.NaN, null, 'NaN', false],
    [Number.POSITIVE_INFINITY, null, 'Infinity', false],
    [0.1, '0.1', '0.1', true],
    [1e9, '1000000000', '1000000000', false],
  ])('says whether the float %d is valid', (number, value, raw, valid) => {
    const sample = sampleOf(
      { kind: 'float64', length: 64, minimum: '-1', maximum: '1' },
      float64Bytes(number),
    );
    expect(sample).toMatchObject({ value, raw, valid });
  });

  it('decodes the signals chosen, in their order, and knows no others', () => {
    const bench = new LiveBench();
    const plan = bench.plan(pagedMessage(), { signals: ['B0', 'Always'] });
    bench.frame([0, 1, 2, 3]);
    expect(plan.signals.map(({ name }) => name)).toEqual(['B0', 'Always']);
    expect([plan.latest('Always').raw, plan.latest('B0').raw]).toEqual(['3', '2']);
    expect(() => plan.latest('A0')).toThrow(
      expect.objectContaining({
        code: 'signal_not_found',
        details: { field: 'signal', plan: 'p1', signal: 'A0', nearest: null },
      }),
    );
  });

  it.each([
    [['Nope'], 'signal_not_found'],
    [['A0', 'A0'], 'invalid_argument'],
    [[], 'invalid_argument'],
  ])('refuses to be made of %j', (signals, code) => {
    expect(() => new LiveBench().plan(pagedMessage(), { signals })).toThrow(
      expect.objectContaining({ code }),
    );
  });

  it('keeps as many samples of a rare page as of a frequent one', () => {
    const bench = new LiveBench();
    const plan = bench.plan(pagedMessage(), { history: 3 });
    for (let at = 0; at < 5; at++) bench.frame([1, at, 0, 0]);
    for (let at = 0; at < 100; at++) bench.frame([0, at, at, 0]);
    const raws = (signal: string) =>
      bench.set.history('p1', signal, 0, 10).samples.map(({ raw }) => raw);
    expect([raws('A1'), raws('A0')]).toEqual([
      ['2', '3', '4'],
      ['97', '98', '99'],
    ]);
    expect([plan.frames, plan.samples]).toEqual([105, 5 * 3 + 100 * 4]);
  });

  it('keeps the latest sample of a signal however many shorter frames come', () => {
    const bench = new LiveBench();
    const plan = bench.plan(pagedMessage(), { history: 3 });
    const latest = () => ['Page', 'Always', 'A0'].map((signal) => plan.latest(signal).raw);
    bench.frame([0, 1, 2, 3]);
    const { sequence } = plan.latest('Always');
    for (let at = 0; at < 10; at++) bench.frame([0, at]);
    expect(latest()).toEqual(['0', '3', '9']);
    expect(plan.latest('Always').sequence).toBe(sequence);
    bench.frame([0, 4, 5, 6]);
    expect(latest()).toEqual(['0', '6', '4']);
    for (let at = 0; at < 10; at++) bench.frame([0]);
    expect(latest()).toEqual(['0', '6', '4']);
  });

  it('has no sample of a signal that its page or its payload has not brought', () => {
    const bench = new LiveBench();
    const plan = bench.plan(pagedMessage());
    bench.frame([0, 1, 2]);
    expect(plan.latest('Page').raw).toBe('0');
    for (const signal of ['A1', 'Always']) {
      const noSample = expect.objectContaining({
        code: 'no_sample',
        details: { plan: 'p1', signal },
      });
      expect(() => plan.latest(signal)).toThrow(noSample);
      expect(() => bench.set.history('p1', signal, 0, 10)).toThrow(noSample);
    }
  });

  it('knows a signal that no value of its switch brings', () => {
    const bench = new LiveBench();
    const never = { switch: 'Page', ranges: [{ from: 300n, to: 300n }] };
    const signals = [aSignal({ name: 'Page' }), aSignal({ name: 'Never', multiplexing: never })];
    const plan = bench.plan(aMessage(signals));
    bench.frame([44]);
    expect(() => plan.latest('Never')).toThrow(expect.objectContaining({ code: 'no_sample' }));
  });

  it('takes memory with the frames that come, and no more than its history needs', () => {
    const bench = new LiveBench();
    const plan = bench.plan(pagedMessage(), { history: 100 });
    expect(plan.bytes).toBe(0);
    bench.frame([7, 0, 0, 0]);
    const first = plan.bytes;
    for (let at = 0; at < 99; at++) bench.frame([7, 0, 0, 0]);
    const full = plan.bytes;
    for (let at = 0; at < 1000; at++) bench.frame([7, 0, 0, 0]);
    expect(first).toBeLessThan(full / 10);
    expect(plan.bytes).toBe(full);
  });
});

describe('LivePlan history', () => {
  /** Ten frames of two signals; the last four are retained: 13 to 20. */
  const filled = () => {
    const bench = new LiveBench();
    bench.plan(aMessage([aSignal(), aSignal({ name: 'Load', startBit: 8 })]));
    for (let at = 0; at < 10; at++) bench.frame([at, 100 + at]);
    const history = (after: number, limit = 10) => bench.set.history('p1', 'Speed', after, limit);
    return { bench, history };
  };

  it('gives pages from the oldest on, each with where to go on', () => {
    const { history } = filled();
    const page = history(0, 3);
    expect(page.samples.map(({ sequence, raw }) => [sequence, raw])).toEqual([
      [13, '6'],
      [15, '7'],
      [17, '8'],
    ]);
    expect(page).toMatchObject({ nextAfter: 17, oldestAvailable: 13, newestAvailable: 19 });
    expect(history(17).samples.map(({ raw }) => raw)).toEqual(['9']);
  });

  it('leads a reader of an empty page past all that was handed out', () => {
    const { history } = filled();
    expect(history(19)).toMatchObject({ samples: [], nextAfter: 20 });
    expect(history(20)).toMatchObject({ samples: [], nextAfter: 20 });
  });

  it.each([
    [1, true],
    [10, true],
    [11, false],
    [12, false],
    [20, false],
    [21, true],
  ])('says of a cursor behind %d that it has expired: %s', (after, expired) => {
    const { history } = filled();
    if (!expired) expect(history(after).oldestAvailable).toBe(13);
    else {
      expect(() => history(after)).toThrow(
        expect.objectContaining({
          code: 'cursor_expired',
          details: { oldest_available: 13, newest_available: 19 },
        }),
      );
    }
  });

  it('does not expire by what other plans take', () => {
    const { bench, history } = filled();
    bench.plan(aMessage([aSignal()]), { planId: 'p2', channel: 1 });
    for (let at = 0; at < 50; at++) bench.frame([at], { channel: 1 });
    expect(history(65)).toMatchObject({ samples: [], nextAfter: 70 });
    expect(history(11).samples).toHaveLength(4);
  });

  it('shows nothing of a signal whose samples were all pushed out by shorter frames', () => {
    const { bench } = filled();
    for (let at = 0; at < 4; at++) bench.frame([at]);
    expect(bench.set.history('p1', 'Load', 0, 10)).toEqual({
      samples: [],
      nextAfter: 28,
      oldestAvailable: 21,
      newestAvailable: 20,
    });
  });
});
