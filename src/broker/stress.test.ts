import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isLong } from '../base/testing/long.ts';
import { bundle, type Variant } from './testing/bundle.ts';
import { stopPoints } from './testing/stop-point.ts';
import { Stress, type StressReport } from './testing/stress.ts';
import type { StressSettings } from './testing/stress-settings.ts';

/** Fast and slow writers into small and default rings; fast, slow, public and resuming readers. */
const everyone: StressSettings = {
  writers: [
    {
      batch: 16,
      rings: [
        { channel: 0, slots: 256, records: 40_000 },
        { channel: 1, slots: 32_768, records: 60_000 },
      ],
    },
    {
      batch: 1,
      pauseEvery: 400,
      rings: [
        { channel: 2, slots: 64, records: 20_000 },
        { channel: 3, slots: 32_768, records: 20_000 },
      ],
    },
    { batch: 3, pauseEvery: 8, rings: [{ channel: 4, slots: 1024, records: 6_000 }] },
  ],
  readers: [
    { name: 'merged', channels: [0, 1, 2, 3, 4] },
    { name: 'merged and slow', channels: [0, 1, 2, 3, 4], slowMs: 2, limit: 500, capacity: 8192 },
    { name: 'merged on the event loop', channels: [1, 3, 4], isAsync: true },
    { name: 'merged and resuming', channels: [0, 2, 4], resumeEvery: 3, limit: 300, slowMs: 0.2 },
    { name: 'single', channels: [2] },
  ],
};

/** Each step at least once, in random order; ids and sequences cross a 32-bit boundary. */
const killing: StressSettings = {
  startAt: 2 ** 31 - 20_000,
  writers: [
    {
      batch: 5,
      rings: [
        { channel: 0, slots: 64, records: 20_000 },
        { channel: 1, slots: 1024, records: 20_000 },
      ],
      kills: stopPoints.map((point) => ({ point, time: 200 })),
    },
    {
      batch: 1,
      rings: [{ channel: 2, slots: 512, records: 30_000 }],
      kills: [50, 700, 2000, 3000].map((anywhereAfter) => ({ anywhereAfter })),
    },
    { batch: 2, pauseEvery: 4, rings: [{ channel: 3, slots: 256, records: 3_000 }] },
  ],
  readers: [
    { name: 'merged', channels: [0, 1, 2, 3] },
    { name: 'merged on the event loop', channels: [0, 2, 3], isAsync: true, capacity: 100 },
    { name: 'single', channels: [1] },
  ],
};

const grow = [256, 512, 4096];
const growing: StressSettings = {
  startAt: 2 ** 32 - 30_000,
  writers: [
    {
      batch: 7,
      rings: [
        { channel: 0, slots: 64, records: 40_000, grow },
        { channel: 1, slots: 128, records: 40_000, grow },
      ],
    },
    { batch: 1, rings: [{ channel: 2, slots: 64, records: 20_000, grow }] },
  ],
  readers: [
    { name: 'merged', channels: [0, 1, 2] },
    { name: 'merged and public', channels: [0, 1, 2], capacity: 200, slowMs: 0.1 },
    { name: 'single', channels: [0] },
    { name: 'merged and resuming', channels: [1, 2], resumeEvery: 2 },
  ],
};

describe('the broker with writers and readers in threads of their own', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'busbar-broker-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const run = async (plan: StressSettings, variant?: Variant): Promise<StressReport> => {
    const [writer, reader] = await Promise.all([
      bundle('stress-writer', folder, variant),
      bundle('stress-reader', folder, variant),
    ]);
    return new Stress(plan, { writer, reader }).run();
  };

  it('accounts for every record: delivered once, whole and in order, or in an exact gap', async () => {
    const { errors, readers } = await run(everyone);
    expect(errors).toEqual([]);
    const totals = readers.map(({ name, delivered, lost }) => [name, delivered + lost]);
    expect(Object.fromEntries(totals)).toEqual({
      merged: 146_000,
      'merged and slow': 146_000,
      'merged on the event loop': 86_000,
      'merged and resuming': 66_000,
      single: 20_000,
    });
  });

  it.runIf(isLong)(
    'goes on when writers are killed within a record, at whatever step',
    async () => {
      const report = await run(killing, 'stopping-writer');
      expect(report.errors).toEqual([]);
      expect(report.readers).toHaveLength(killing.readers.length);
      expect(report.kills).toBe(stopPoints.length + 4);
    },
  );

  it('keeps content and order of rings that grow under load', async () => {
    const { errors, readers } = await run(growing);
    expect(errors).toEqual([]);
    expect(readers).toHaveLength(growing.readers.length);
  });

  // Threads meet by chance. One meeting is enough; its probability is far above one half per run,
  // but lower on a busy machine. The test's time limit ends runs without any.
  const firstFlaws = async (variant: Variant): Promise<readonly string[]> => {
    for (;;) {
      const { errors } = await run(everyone, variant);
      if (errors.length > 0) return errors;
    }
  };

  it.runIf(isLong).each(['no-reserve', 'no-watermark', 'no-validation'] as const)(
    'would notice a protocol with %s',
    async (variant) => {
      expect(await firstFlaws(variant)).not.toEqual([]);
    },
  );
});
