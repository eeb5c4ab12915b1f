import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cases, isLong } from '../base/testing/long.ts';
import { MergedReader } from './merged-reader.ts';
import { BenchOfRings } from './testing/bench-of-rings.ts';
import * as asIs from './testing/broker-under-test.ts';
import { bundle, type Variant } from './testing/bundle.ts';
import { Interruption } from './testing/interruption.ts';
import { Ledger } from './testing/ledger.ts';

type Code = typeof asIs;

/** Two writers with a ring of 16 slots each, and the records read so far. */
const openBench = (code: Code) => {
  const broker = new code.Broker();
  const openRing = (channel: number) => {
    const writer = broker.claimWriter();
    const ring = broker.openRing({ channel, writer, slots: 16 });
    return { ring, writer: new code.RingWriter(new code.Publisher(broker.memory, writer), ring) };
  };
  const a = openRing(0);
  const b = openRing(1);
  const { memory } = broker;
  const views = [a, b].map(({ ring }) => new code.RingView(ring));
  const isLost = (channel: number, sequence: number): boolean => {
    const view = views[channel];
    view?.refresh();
    return view !== undefined && sequence <= view.low;
  };
  const ledger = new code.Ledger({ isLost });
  const merged = new code.MergedReader({ memory, rings: [a.ring, b.ring] });
  const singleLedger = new code.Ledger({ isLost });
  const single = new code.RingReader({ memory, ring: a.ring });
  const read = (): void => {
    merged.pass(ledger);
    single.pass(singleLedger);
  };
  const publish = (writer: typeof a.writer, count = 1): void => {
    for (let record = 0; record < count; record++) code.publishSamples(writer, 1, pause);
  };
  const opened = new Set<typeof a.writer>();
  const open = (writer: typeof a.writer): void => {
    if (opened.has(writer)) return;
    opened.add(writer);
    code.openSamples(writer, 1);
  };
  const closeAll = (): void => {
    for (const writer of opened) writer.commit();
  };
  const writers = { a: a.writer, b: b.writer };
  return { ...writers, merged, ledger, singleLedger, read, publish, open, closeAll };
};

type Bench = ReturnType<typeof openBench>;

/** A point between plain writes where another thread may act. */
const pause = (): void => void Atomics.load(pauseWord, 0);
const pauseWord = new Int32Array(1);

/** Errors after all published records have been read. */
const verdict = (bench: Bench): string[] => {
  bench.read();
  bench.closeAll();
  // Records skipped by an expired cursor are detected with the next record of their channel.
  for (const writer of [bench.a, bench.b]) bench.publish(writer);
  bench.read();
  bench.read();
  const { ledger, singleLedger, a, b } = bench;
  const errors = [...ledger.errors, ...singleLedger.errors.map((error) => `single: ${error}`)];
  const total = a.published + b.published;
  if (ledger.accounted !== total) errors.push(`${ledger.accounted} of ${total} accounted for`);
  if (singleLedger.accounted !== a.published) {
    errors.push(`single: ${singleLedger.accounted} of ${a.published} accounted for`);
  }
  return errors;
};

/** The sequence of steps of one thread. */
const doings: Record<string, (bench: Bench) => void> = {
  'a reader reads': ({ read }) => read(),
  'a reader resumes': ({ merged, ledger }) => {
    if (merged.seek(merged.position).expired) ledger.allowJump();
  },
  'a writer publishes': ({ a, publish }) => publish(a),
  'a writer publishes more than the ring holds': ({ a, publish }) => publish(a, 20),
  'a ring grows': ({ a }) => a.grow(32),
};

/** Steps of another thread, between any two steps of the first. */
interface Meanwhile {
  readonly act: (bench: Bench) => void;
  /** How many consecutive steps it is repeated before. */
  readonly times?: number;
}

const byReaderOrOtherWriter: Record<string, Meanwhile> = {
  'all is read': { act: ({ read }) => read() },
  'the other writer publishes and all is read': {
    act: ({ b, read, publish }) => {
      publish(b);
      read();
    },
  },
  'the other writer laps its ring': { act: ({ b, publish }) => publish(b, 17) },
};

const byWriters: Record<string, Meanwhile> = {
  'both writers publish': {
    act: ({ a, b, publish }) => {
      publish(b);
      publish(a);
      publish(b);
    },
  },
  'one writer opens a record and the other publishes': {
    act: ({ a, b, open, publish }) => {
      open(a);
      publish(b);
    },
  },
  'a ring is lapped': { act: ({ a, publish }) => publish(a, 40) },
  'a ring is lapped over and over': {
    act: ({ a, b, publish }) => {
      publish(a, 17);
      publish(b);
    },
    times: 60,
  },
  'a ring grows and goes on': {
    act: ({ a, publish }) => {
      a.grow(64);
      publish(a, 20);
    },
  },
  'a ring grows and is lapped': {
    act: ({ a, publish }) => {
      a.grow(64);
      publish(a, 70);
    },
  },
};

const meanwhiles = { ...byReaderOrOtherWriter, ...byWriters };

const stories = Object.keys(doings).flatMap((doing) =>
  Object.keys(doing.startsWith('a reader') ? byWriters : byReaderOrOtherWriter).map(
    (meanwhile) => [doing, meanwhile] as const,
  ),
);

/** Unread records of each ring at the start of a scenario; both rings have wrapped. */
const unread = [0, 10];

/** Every third step is interrupted in `npm test`. */
const stride = cases(5, 1);

/** Plays a story once for each step that can be interrupted; returns all errors found. */
const playAll = (code: Code, doing: string, meanwhile: string): string[] =>
  unread.flatMap((records) => {
    const errors: string[] = [];
    for (let step = 0, isPast = false; !isPast; step += stride) {
      const bench = openBench(code);
      for (const writer of [bench.a, bench.b]) bench.publish(writer, 12);
      bench.read();
      for (const writer of [bench.a, bench.b]) bench.publish(writer, records);
      const { act, times = 1 } = meanwhiles[meanwhile] ?? { act: () => {} };
      const interruption = new Interruption(step, () => act(bench), times);
      interruption.during(() => doings[doing]?.(bench));
      isPast = !interruption.happened;
      errors.push(...verdict(bench).map((error) => `at step ${step}: ${error}`));
    }
    return errors;
  });

describe('the broker when another thread comes in between any two steps', () => {
  it.each(stories)('stays right when %s and %s', (doing, meanwhile) => {
    expect(playAll(asIs, doing, meanwhile)).toEqual([]);
  });
});

describe('a merged reader that is behind by several batches', () => {
  it('stays in order when the first of them is overwritten while it copies', () => {
    for (let step = 0, isPast = false; !isPast; step += cases(13, 1)) {
      const bench = new BenchOfRings();
      const a = bench.open(0, 1024);
      const b = bench.open(1, 16);
      const rings = [a.ring, b.ring];
      const reader = new MergedReader({ memory: bench.memory, rings });
      const ledger = new Ledger();
      a.publish(700);
      b.publish(1);
      const interruption = new Interruption(step, () => a.publish(650));
      interruption.during(() => reader.pass(ledger));
      isPast = !interruption.happened;
      reader.pass(ledger);
      const { errors, accounted } = ledger;
      const published = isPast ? 701 : 1351;
      expect({ step, errors, accounted }).toEqual({
        step,
        errors: [],
        accounted: published,
      });
    }
  });
});

describe.runIf(isLong)('a broker with a flawed protocol', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'busbar-broker-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    'no-reserve',
    'late-announcement',
    'no-watermark',
    'no-validation',
    'no-size-check',
  ] satisfies Variant[])('is found out: %s', async (variant) => {
    const file = await bundle('broker-under-test', folder, variant);
    const code = (await import(pathToFileURL(file).href)) as Code;
    const isFoundOut = stories.some((story) => playAll(code, ...story).length > 0);
    expect(isFoundOut).toBe(true);
  });
});
