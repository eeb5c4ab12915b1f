import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FileSandbox } from '../../base/files/testing/file-sandbox.ts';
import { cases } from '../../base/testing/long.ts';
import { seededRandom } from '../../base/testing/seeded-random.ts';
import { SilentBell } from '../../broker/testing/silent-bell.ts';
import { databaseForConditions } from '../../condition/condition-context.ts';
import { errorEvent, frameEvent } from '../../condition/testing/story.ts';
import { aSignal } from '../../database/testing/a-signal.ts';
import { busCode, frameFlag } from '../../frame/frm2-layout.ts';
import { gzipFile } from '../../recording/compress-file.ts';
import { Recorder } from '../../recording/recorder.ts';
import type { RecordingFormat } from '../../recording/recording-record.ts';
import { plainRecording } from '../../recording/recording-request.ts';
import { aMessage } from '../../signal/testing/models.ts';
import { createAsc } from '../../trace/asc/asc-writer.ts';
import { createBlf } from '../../trace/blf/create-blf.ts';
import { createCandump } from '../../trace/candump/candump-writer.ts';
import { createMf4 } from '../../trace/mf4/create-mf4.ts';
import { openTrace } from '../../trace/open-trace.ts';
import { MemorySource } from '../../trace/testing/memory-bytes.ts';
import type { TraceEvent } from '../../trace/testing/trace-events.ts';
import type { Check } from '../check.ts';
import type { CheckEntry } from '../check-file.ts';
import type { CheckReport, CheckResult } from '../check-record.ts';
import { CheckRun } from '../check-run.ts';
import { parseChecks } from '../parse-check.ts';
import { TraceCheck } from '../service/trace-check.ts';
import { checkLive } from './live-events.ts';
import { liveSetup } from './live-setup.ts';
import { LiveBench } from './testing/live-bench.ts';

const model = {
  format: 'dbc',
  messages: [
    aMessage([
      aSignal({ name: 'Speed', length: 16, factor: '0.1', unit: 'rpm' }),
      aSignal({ name: 'Counter', startBit: 16, length: 4 }),
    ]),
  ],
} as const;
const record = { file: 'engine.dbc', channel: null, size: 0, sha256: '' };
const rates = { bitrate: 500_000, dataBitrate: 2_000_000 };
const formats = ['asc', 'blf', 'mf4'] as const satisfies readonly RecordingFormat[];

type Random = () => number;

const among = <Value>(random: Random, values: readonly Value[]): Value =>
  values[Math.floor(random() * values.length)] as Value;

const xor8 = (bytes: readonly number[]): number => bytes.reduce((sum, byte) => sum ^ byte, 0);

/** Traffic in which everything that is checked happens, mostly as it should. */
const trafficOf = (random: Random, endMs: number): TraceEvent[] => {
  const events: TraceEvent[] = [];
  const isOdd = (): boolean => random() < 0.03;
  const us = (ms: number): number => Math.round(ms * 1000) / 1000;
  let counter = 0;
  for (let ms = 10 * random(); ms < endMs; ms += isOdd() ? 30 * random() : 9 + 2 * random()) {
    counter = isOdd() ? 0 : (counter + 1) % 15;
    const speed = Math.floor(random() * 1000);
    const data = [speed & 0xff, speed >> 8, counter];
    events.push(frameEvent(us(ms), 1, '123', Buffer.from(data).toString('hex')));
    const checksum = isOdd() ? 0 : xor8([counter]);
    if (!isOdd()) {
      const guarded = Buffer.from([counter, checksum]).toString('hex');
      events.push(frameEvent(us(ms + random()), 1, '124', guarded));
    }
  }
  for (let ms = 20 * random(); ms < endMs; ms += 60 * random()) {
    events.push(frameEvent(us(ms), 2, '7E0', '0322F190'));
    const answerMs = us(ms + (isOdd() ? 80 : 40) * random());
    if (!isOdd()) events.push(frameEvent(answerMs, 2, '7E8', '0462F19001'));
    const long = frameEvent(us(ms + 1), 2, '18FEF100', '00'.repeat(among(random, [8, 12, 64])));
    events.push({ ...long, flags: long.flags | frameFlag.fd, bus: busCode.canfd });
    if (isOdd()) events.push(errorEvent(us(ms + 2), among(random, [1, 2]), 8));
  }
  const lengths: Readonly<Record<number, number>> = { 12: 9, 64: 15 };
  return events
    .filter(({ timeNs }) => timeNs < endMs * 1e6)
    .map((event) => ({ ...event, dlc: lengths[event.data.length] ?? event.data.length }))
    .concat({ ...frameEvent(endMs, 1, '7FF', ''), dlc: 0 })
    .sort((one, other) => one.timeNs - other.timeNs);
};

const e2eCodec = {
  profile: 'free',
  counter: { start_bit: 0, bit_length: 4, byte_order: 'intel', max: '14' },
  checksum: { start_bit: 8, bit_length: 8, byte_order: 'intel', algorithm: 'xor8' },
} as const satisfies CheckEntry['codec'];

const checksOf = (random: Random): Check[] => {
  const ms = (least: number, most: number): string =>
    `${(least + random() * (most - least)).toFixed(2)}ms`;
  const texts = [
    `cycle Engine 10ms +-${ms(0.5, 9)}`,
    `cycle 124 10ms +-${among(random, [10, 30, 90])}%`,
    `counter Engine.Counter max ${among(random, ['13', '14', '15'])}`,
    `answer 7E0#0322 with 7E8#??62 within ${ms(20, 60)}`,
    `value Engine.Speed in ${among(random, ['0..99.9', '0..50', '2.5..200'])}`,
    `never ${among(random, ['frame 18FEF100', 'frame 18FEF101', 'change Engine.Counter'])} on ${among(random, [1, 2])}`,
    `never signal Engine.Speed > ${among(random, [50, 99, 120])} on 1`,
    `never silence 123 ${ms(5, 40)} on 1`,
    `never error on ${among(random, [1, 2])}`,
    `never (frame 123 on 1 within ${ms(0.1, 2)} of frame 7E0 on 2) or bus_off on 1`,
    'never gap',
    `load < ${among(random, [1, 5, 60])}% on ${among(random, [1, 2])}`,
    `order Engine then 124 within ${ms(0.5, 2)}`,
    `order 7E0 then frame 7E8 data ????62 within ${ms(20, 60)} on 2`,
  ];
  const entries: CheckEntry[] = texts.map((check) => ({ check }));
  return parseChecks([...entries, { check: 'e2e 124', codec: e2eCodec }]);
};

interface LiveResults {
  readonly checks: readonly CheckResult[];
  /** Ids of the checked events in their order. */
  readonly ids: readonly number[];
}

/** Results with other numbers of events. Formats differ in what they keep of error frames. */
const comparable = (
  checks: readonly CheckResult[],
  numberOf: (event: number) => number = (event) => event,
): CheckResult[] =>
  checks.map((check) => ({
    ...check,
    violations: check.violations.map((violation) => ({
      ...violation,
      event: violation.event === null ? null : numberOf(violation.event),
      excerpt: violation.excerpt.map((row) => ({
        ...row,
        event: numberOf(row.event),
        text: row.text.replace(/^2000000.#0*$/, 'error frame'),
      })),
    })),
  }));

/** Positions of events instead of their ids. */
const inPositions = ({ checks, ids }: LiveResults): CheckResult[] => {
  const positions = new Map(ids.map((id, index) => [id, index + 1]));
  return comparable(checks, (id) => positions.get(id) ?? -1);
};

/** Checks live what recorders record meanwhile. */
const checkAndRecord = async (
  checks: readonly Check[],
  traffic: readonly TraceEvent[],
  endMs: number,
  folder: string,
  random: Random,
): Promise<LiveResults> => {
  const bench = new LiveBench();
  const { clock } = bench;
  const rings = [1, 2].map((number) => bench.open(number, 4096).ring);
  const bell = new SilentBell();
  const ids: number[] = [];
  const recorders = formats.map((format) => {
    const recorder = new Recorder({
      memory: bench.hubs.rings.memory,
      bell,
      clock,
      channels: rings.map((ring) => ({
        ...{ slot: ring.channel, selector: `SIM00001/${ring.channel}`, name: null },
        ...{ number: ring.channel + 1, ring },
      })),
      projectRoot: folder,
      writers: { asc: createAsc, blf: createBlf, candump: createCandump, mf4: createMf4 },
      compress: gzipFile,
      count: async () => 0,
      onProgress: () => {},
      onEnded: () => {},
      onDefect: (thrown) => {
        throw thrown;
      },
    });
    recorder.begin(plainRecording({ file: `drive.${format}`, format }));
    return recorder;
  });
  const database = databaseForConditions(record.file, model);
  const names = bench.names(() => [database]);
  const { context, channels } = await liveSetup(checks, bench.channels, names, null);
  const startUnixUs = clock.unixUs();
  const run = new CheckRun(checks, { ...context, startUnixUs });
  const take = run.take.bind(run);
  run.take = (batch, eventIds, count) => {
    if (eventIds) ids.push(...eventIds.subarray(0, count));
    take(batch, eventIds, count);
  };
  const span = { channels, after: null, startUnixUs, seconds: endMs / 1000 };
  const live = checkLive(run, span, bench.source);
  live.catch(() => undefined);
  const late = traffic.map((event) => ({ event, ms: event.timeNs / 1e6 + lagOf(event) }));
  late.sort((one, other) => one.ms - other.ms);
  let next = 0;
  while (bench.nowMs < endMs + 300) {
    for (; (late[next]?.ms ?? Number.NaN) <= bench.nowMs; next++) {
      bench.publish((late[next] as (typeof late)[number]).event);
    }
    if (random() < 0.7) bell.ring();
    await bench.pass(20);
  }
  for (const recorder of recorders) recorder.finish();
  await live;
  return { checks: run.results, ids };
};

/** Time until an event is in its ring, by channel. */
const lagOf = ({ channel }: TraceEvent): number => (channel === 1 ? 0 : 45);

const checkFile = (path: string, checks: readonly Check[]): CheckReport => {
  const bytes = readFileSync(path);
  const source = new MemorySource(bytes);
  const database = { channel: null, database: model as never, record };
  const setup = { checks, databases: [database], rates: [{ channel: null, ...rates }] };
  const steps = new TraceCheck({ file: path, source, reader: openTrace(source), setup }).run();
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
};

const runs = cases(10, 200);
const perTest = 10;

describe('Live, and on a recording of the same time', () => {
  it.each(Array.from({ length: runs / perTest }, (_, part) => part * perTest))(
    'checks give the same results from run %i on',
    async (first) => {
      const found: string[] = [];
      for (let seed = first; seed < first + perTest; seed++) {
        const random = seededRandom(seed);
        const endMs = among(random, [200, 200, 300, 1100]);
        const checks = checksOf(random);
        const sandbox = new FileSandbox();
        try {
          const traffic = trafficOf(random, endMs);
          const live = await checkAndRecord(checks, traffic, endMs, sandbox.project, random);
          const expected = inPositions(live);
          expect(live.ids).toHaveLength(traffic.length);
          found.push(...live.checks.map(({ verdict }) => verdict));
          for (const format of formats) {
            const path = join(sandbox.project, `drive.${format}`);
            const report = checkFile(path, checks);
            expect({ seed, format, checks: comparable(report.checks) }).toEqual({
              ...{ seed, format, checks: expected },
            });
          }
        } finally {
          sandbox.dispose();
        }
      }
      expect(new Set(found)).toEqual(new Set(['passed', 'failed', 'not_observed']));
    },
  );
});
