import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cases } from '../../base/testing/long.ts';
import { EngineRig } from '../engine/testing/engine-rig.ts';
import { rule } from '../engine/testing/rules.ts';
import { buildLibrary, fuzzedSource, hasCompiler } from './testing/build-plugins.ts';
import { loadPlugins } from './testing/load-plugins.ts';

const ms = 1000;
const outputs = ['a', 'b', 'c'];
const lengths = { Short: 3, Long: 8 };
const tasks = Object.keys(lengths);

const fuzzed = {
  id: 'fuzzed',
  kind: 'processor',
  library: 'plugins/fuzzed.so',
  entry: 'fuzzed_processor',
  inputs: ['go'],
  outputs,
  send_tasks: tasks,
} as const;

const project = () => ({
  format: 'gwproj',
  schema_version: 1,
  endpoints: [{ id: 'bus', kind: 'can', network: 'powertrain' }],
  signals: [
    { id: 'go', type: 'uint64', producer: 'software', initial: '0' },
    { id: 'bystander', type: 'uint64', producer: 'software', initial: '77' },
    ...outputs.map((id) => ({ id, type: 'uint64', producer: 'derived' })),
  ],
  messages: Object.entries(lengths).map(([id, length], index) => {
    return { id, endpoint: 'bus', direction: 'tx', can_id: 0x200 + index, length };
  }),
  tx_tasks: tasks.map((id) => ({ id, message: id, mode: 'request' })),
  plugins: [fuzzed],
});

describe.skipIf(!hasCompiler)('a processor that does anything', () => {
  let folder: string;
  let file: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'busbar-fuzzed-'));
    file = buildLibrary(fuzzedSource, join(folder, 'fuzzed.so'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([1, 7, 20_261, 3_999_999_979].slice(0, cases(1, 4)))(
    rule('whole groups', 'leaves whole groups or nothing (seed %i)'),
    (seed) => {
      const rig = new EngineRig(project(), loadPlugins({ ...fuzzed, file, context: { seed } }));
      rig.acknowledges = false;
      rig.start();
      const counts = { good: 0, failed: 0 };
      for (let step = 1; step <= 1000; step++) {
        const before = outputs.map((id) => rig.signal(id).value);
        rig.set('go', String(step), step * ms);
        rig.run(step * ms);
        // Links that are alternately fast, slow and full.
        for (let settled = 0; settled < (step >> 6) % 12; settled++) {
          rig.settle(settled % 5 === 4 ? 'tx_failed' : null, step * ms);
          rig.run(step * ms);
        }
        const after = outputs.map((id) => rig.signal(id));
        const qualities = new Set(after.map(({ quality }) => quality));
        expect(qualities.size).toBe(1);
        const isGood = qualities.has('good');
        expect(after.map(({ value }) => value)).toEqual(
          isGood ? outputs.map(() => String((step + 1) % 256)) : before,
        );
        counts[isGood ? 'good' : 'failed'] += 1;
        expect(rig.signal('bystander')).toMatchObject({ value: '77', quality: 'good' });
        expect(rig.signal('go')).toMatchObject({ value: String(step), quality: 'good' });
        const { queued_requests, pending } = rig.instance;
        expect(queued_requests + pending).toBeLessThanOrEqual(64);
      }
      expect(counts.good).toBeGreaterThan(100);
      expect(counts.failed).toBeGreaterThan(100);
      rig.stop();
      while (rig.isInFlight) rig.settle(null);
      for (const id of tasks) {
        const { accepted, sent, failed, pending, queued_requests } = rig.task(id);
        expect({ pending, queued_requests, accepted }).toEqual({
          pending: 0,
          queued_requests: 0,
          accepted: sent + failed,
        });
        expect(accepted).toBe(rig.sent(id).length);
      }
      expect(rig.instance.processor_rejected_requests).toBeGreaterThan(0);
      for (const { task, data } of rig.frames) {
        const bytes = Buffer.from(data, 'hex');
        expect(bytes.length).toBe(lengths[task as keyof typeof lengths]);
        expect(bytes[1]).toBeLessThan(bytes[2] as number);
        expect(bytes.subarray(3).every((byte) => byte === 0xee)).toBe(true);
      }
    },
  );
});
