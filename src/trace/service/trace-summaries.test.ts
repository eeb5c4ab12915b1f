import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { eventually } from '../../base/testing/eventually.ts';
import { openDescriptors } from '../../base/testing/open-descriptors.ts';
import { openTrace } from '../open-trace.ts';
import type { TraceReader } from '../trace-format.ts';
import { TraceSummaries } from './trace-summaries.ts';

let folder: string;
let root: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'busbar-summaries-'));
  root = join(folder, 'project');
  mkdirSync(root);
});

afterEach(() => rmSync(folder, { recursive: true }));

/** A log whose last line, far after the first batches, is the only one of its interface. */
const longLog = (): void => {
  const lines = Array.from(
    { length: 20_000 },
    (_, i) => `(1767225600.${String(i).padStart(6, '0')}) can0 123#01\n`,
  );
  writeFileSync(join(root, 'a.log'), `${lines.join('')}(1767225601.000000) can1 7FF#02\n`);
};

/** Reading a batch takes this long by the clock. */
const setUp = (batchUs: number, durationUs = 1_000_000) => {
  const clock = new FakeClock();
  const slowly = (reader: TraceReader): TraceReader =>
    new Proxy(reader, {
      get: (target, key) => {
        if (key !== 'read') return Reflect.get(target, key, target);
        return (batch: Parameters<TraceReader['read']>[0]) => {
          clock.advanceUs(batchUs);
          return target.read(batch);
        };
      },
    });
  const summaries = new TraceSummaries({
    clock,
    projectRoot: root,
    openTrace: (source) => slowly(openTrace(source)),
    durationUs,
    atOnce: 2,
  });
  /** Resolves every waiting turn. */
  const settle = async <T>(work: Promise<T>): Promise<T> => {
    let isDone = false;
    const done = (): void => {
      isDone = true;
    };
    work.then(done, done);
    await eventually(() => {
      clock.advanceUs(0);
      return isDone;
    });
    return work;
  };
  return { clock, summaries, settle };
};

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    (thrown) => BusbarError.from(thrown).code,
  );

describe('TraceSummaries', () => {
  it('reads a file to its end', async () => {
    longLog();
    const { summaries, settle } = setUp(100);
    expect(await settle(summaries.summarize('a.log'))).toMatchObject({
      file: 'a.log',
      complete: true,
      events: 20_001,
      duration_us: 1_000_000,
      channels: [
        { channel: 1, bus: 'can', name: 'can0', events: 20_000 },
        { channel: 2, bus: 'can', name: 'can1', events: 1 },
      ],
    });
  });

  it('tells of the part that it had time for', async () => {
    longLog();
    const { summaries, settle } = setUp(400_000);
    const summary = await settle(summaries.summarize('a.log'));
    expect(summary).toMatchObject({ complete: false, channels: [{ name: 'can0' }] });
    expect(summary.events).toBeGreaterThan(0);
    expect(summary.bytes).toBeLessThan(summary.size ?? 0);
  });

  it('lets other work have its turn between batches', async () => {
    longLog();
    const { clock, summaries } = setUp(10_000);
    const work = summaries.summarize('a.log');
    expect(clock.pendingTimers).toBe(1);
    for (let turns = 0; turns < 20; turns++) {
      clock.advanceUs(0);
      await Promise.resolve().then(() => undefined);
    }
    expect(await work).toMatchObject({ complete: true });
  });

  it('refuses more at once than it may read, and takes others once one is done', async () => {
    longLog();
    const before = openDescriptors();
    const { summaries, settle } = setUp(10_000);
    const works = [summaries.summarize('a.log'), summaries.summarize('a.log')];
    expect(await codeOf(summaries.summarize('a.log'))).toBe('busy');
    await Promise.all(works.map(settle));
    expect(await settle(summaries.summarize('a.log'))).toMatchObject({ complete: true });
    expect(openDescriptors()).toEqual(before);
  });

  it('refuses what is no trace or lies outside, and closes it', async () => {
    writeFileSync(join(root, 'diary'), 'Dear diary\n');
    writeFileSync(join(folder, 'a.log'), '(1.000000) can0 123#01\n');
    const before = openDescriptors();
    const { summaries } = setUp(0);
    expect(await codeOf(summaries.summarize('diary'))).toBe('invalid_trace');
    expect(await codeOf(summaries.summarize('../a.log'))).toBe('path_outside_project');
    expect(await codeOf(summaries.summarize('absent.log'))).toBe('file_not_found');
    expect(openDescriptors()).toEqual(before);
  });
});
