import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { databaseForConditions } from '../../condition/condition-context.ts';
import { errorEvent, frameEvent } from '../../condition/testing/story.ts';
import { aSignal } from '../../database/testing/a-signal.ts';
import { aMessage } from '../../signal/testing/models.ts';
import type { CheckReport } from '../check-record.ts';
import { type LiveCheckRequest, LiveChecks } from './live-checks.ts';
import { chosenChannels } from './live-setup.ts';
import { LiveBench } from './testing/live-bench.ts';

const engine = databaseForConditions('engine', {
  format: 'dbc',
  messages: [aMessage([aSignal({ name: 'Speed', length: 16, factor: '0.1', unit: 'rpm' })])],
});

interface Running {
  readonly report: Promise<CheckReport>;
  readonly seconds: number[];
  readonly abort: () => void;
}

const checksOn = (bench: LiveBench): LiveChecks<null> =>
  new LiveChecks({
    source: bench.source,
    names: bench.names((slot) => (slot === 0 ? [engine] : [])),
    readCheckFile: async () =>
      Buffer.from(JSON.stringify({ checks: [{ check: 'cycle Motor 10ms +-1ms' }] })),
    filesOf: async (names) =>
      names.map((name) => ({ name, file: `${name}.dbc`, size: 7, sha256: 'ab' })),
  });

/** Begins checks, and lets them look up their names. */
const begin = async (
  bench: LiveBench,
  texts: readonly string[],
  request: Partial<LiveCheckRequest> = {},
): Promise<Running> => {
  const controller = new AbortController();
  const seconds: number[] = [];
  const report = checksOn(bench).run(
    { checks: texts.map((check) => ({ check })), seconds: 1, ...request },
    null,
    { signal: controller.signal, report: (passed) => seconds.push(passed) },
  );
  report.catch(() => undefined);
  await nextTurn();
  return { report, seconds, abort: () => controller.abort() };
};

const refusalOf = (work: Promise<unknown>): Promise<BusbarError> =>
  work.then(
    () => Promise.reject(new Error('It was accepted')),
    (thrown) => BusbarError.from(thrown),
  );

const verdicts = ({ checks }: CheckReport): string[] => checks.map(({ verdict }) => verdict);

describe('Live checks', () => {
  it('judge what arrives until their time is over', async () => {
    const bench = new LiveBench();
    bench.open(1);
    bench.publish(frameEvent(0, 1, '123', '0000'));
    const { report, seconds } = await begin(bench, [
      'cycle Engine 100ms +-10%',
      'value Engine.Speed in 0..1',
      'never frame 124',
      'never gap',
    ]);
    for (let ms = 100; ms <= 1000; ms += 100) {
      await bench.pass(100);
      bench.publish(frameEvent(ms, 1, '123', ms === 500 ? '0B00' : '0A00'));
    }
    bench.publish(frameEvent(1000.001, 1, '124', ''));
    await bench.pass(400);
    const found = await report;
    expect(verdicts(found)).toEqual(['passed', 'failed', 'passed', 'passed']);
    expect(found).toMatchObject({
      verdict: 'failed',
      source: 'live',
      started_at_us: 1_700_000_000_000_000,
      duration_us: 1_000_000,
      events: 10,
      gaps: 0,
      environment: {
        trace: null,
        channels: [{ channel: 1, bus: 'can', selector: 'SIM00001/0', bitrate: 500_000 }],
        databases: [{ file: 'engine.dbc', channel: '1', size: 7, sha256: 'ab' }],
      },
    });
    expect(found.checks[1]?.violations).toMatchObject([
      { time_us: 500_000, event: 6, message: '1.1 rpm, not 0 to 1' },
    ]);
    expect(seconds).toEqual([0.5, 1]);
  });

  it('wait for events that are late', async () => {
    const bench = new LiveBench();
    bench.open(1);
    const { report } = await begin(bench, ['answer 7E0# with 7E8# within 50ms']);
    bench.publish(frameEvent(940, 1, '7E0', ''));
    await bench.pass(1100);
    bench.publish(frameEvent(985, 1, '7E8', ''));
    await bench.pass(200);
    expect(verdicts(await report)).toEqual(['passed']);
  });

  it('see that a message stops although nothing else arrives', async () => {
    const bench = new LiveBench();
    bench.open(1);
    const { report } = await begin(bench, ['cycle 123 100ms +-10%', 'never silence 123 300ms']);
    bench.publish(frameEvent(100, 1, '123', ''));
    bench.publish(frameEvent(200, 1, '123', ''));
    await bench.pass(1300);
    const { checks } = await report;
    expect(checks.map(({ verdict, reason }) => [verdict, reason])).toEqual([
      ['failed', 'No frame for 800 ms up to the end, not 90 ms to 110 ms'],
      ['failed', 'The condition became true'],
    ]);
  });

  it('report the time that was checked, also on a silent bus', async () => {
    const bench = new LiveBench();
    bench.open(1);
    const { report } = await begin(bench, ['never error'], { seconds: 1.2 });
    await bench.pass(1500);
    expect(await report).toMatchObject({ events: 0, duration_us: 1_200_000 });
  });

  it('begin after an event, as far as events are stored', async () => {
    const bench = new LiveBench();
    bench.open(1, 64);
    await bench.pass(50);
    for (let ms = 10; ms <= 50; ms += 10) bench.publish(frameEvent(ms, 1, '123', ''));
    const checks = ['cycle 123 10ms +-10%', 'never gap'];
    const { report } = await begin(bench, checks, { after: 2, seconds: 0.005 });
    await bench.pass(300);
    const found = await report;
    expect(verdicts(found)).toEqual(['passed', 'passed']);
    expect(found).toMatchObject({ events: 3, started_at_us: 1_700_000_000_030_000 });
    for (let ms = 60; ms <= 900; ms += 10) bench.publish(frameEvent(ms, 1, '123', ''));
    const late = await begin(bench, checks, { after: 2 });
    await bench.pass(1300);
    const { gaps, checks: results } = await late.report;
    expect(gaps).toBe(1);
    expect(results.map(({ verdict }) => verdict)).toEqual(['failed', 'failed']);
  });

  it('take overwritten events as a gap', async () => {
    const bench = new LiveBench();
    bench.open(1, 64);
    const { report } = await begin(bench, ['never frame 124', 'never gap']);
    bench.publish(frameEvent(1, 1, '123', ''));
    await bench.pass(10);
    for (let event = 0; event < 200; event++) bench.publish(frameEvent(20, 1, '123', ''));
    await bench.pass(1300);
    const found = await report;
    expect(verdicts(found)).toEqual(['not_observed', 'failed']);
    expect(found.gaps).toBe(1);
    expect(found.events + found.missed).toBe(201);
  });

  it('sort events of channels that lag', async () => {
    const bench = new LiveBench();
    for (const number of [1, 2]) bench.open(number);
    const { report } = await begin(bench, ['order frame 1A0 on 1 then frame 1B0 on 2 within 5ms']);
    for (let ms = 0; ms < 900; ms += 50) {
      bench.publish(frameEvent(ms + 2, 2, '1B0', ''));
      await bench.pass(20);
      bench.publish(frameEvent(ms, 1, '1A0', ''));
      await bench.pass(30);
    }
    await bench.pass(500);
    expect(await report).toMatchObject({ verdict: 'passed' });
  });

  it('do not pass where a channel is closed meanwhile', async () => {
    const bench = new LiveBench();
    bench.open(1);
    const { report } = await begin(bench, ['never error']);
    bench.publish(frameEvent(100, 1, '123', ''));
    await bench.pass(200);
    bench.close(1);
    await bench.pass(1300);
    expect(await report).toMatchObject({ verdict: 'not_observed', events: 1, gaps: 1 });
  });

  it('are about the chosen channels', async () => {
    const bench = new LiveBench();
    for (const number of [1, 2]) bench.open(number);
    const { report } = await begin(bench, ['never error'], { channels: ['2'] });
    bench.publish(frameEvent(100, 2, '123', ''));
    bench.publish(errorEvent(200, 1, 8));
    await bench.pass(1300);
    expect(await report).toMatchObject({ verdict: 'passed', events: 1 });
  });

  it('end without a report when they are cancelled', async () => {
    const bench = new LiveBench();
    bench.open(1);
    const { report, abort } = await begin(bench, ['never error']);
    await bench.pass(200);
    abort();
    expect(await refusalOf(report)).toMatchObject({ code: 'operation_cancelled' });
    await bench.pass(1000);
    expect(bench.clock.pendingTimers).toBe(0);
    expect(bench.hubs.hub.consumersOf(0)).toEqual([]);
  });

  it('are listed as consumers of their channels while they run', async () => {
    const bench = new LiveBench();
    bench.open(1);
    const { report } = await begin(bench, ['never error']);
    expect(bench.hubs.hub.consumersOf(0)).toMatchObject([{ kind: 'check', lag: 0 }]);
    await bench.pass(1300);
    await report;
    expect(bench.hubs.hub.consumersOf(0)).toEqual([]);
  });

  it('do not judge a check that matches on several channels, and judge the others', async () => {
    const bench = new LiveBench();
    for (const number of [1, 2]) bench.open(number);
    const { report } = await begin(bench, [
      'cycle 123 10ms +-1ms',
      'never error',
      'never frame 124 on 1',
    ]);
    for (const ms of [100, 150]) bench.publish(frameEvent(ms, 1, '123', ''));
    bench.publish(frameEvent(200, 2, '123', ''));
    await bench.pass(1300);
    const reason = 'It matches on several channels: 1, 2; add on and a channel';
    const nothing = { violation_total: 0, violations: [], figures: [], plot: null };
    expect((await report).checks).toMatchObject([
      { verdict: 'not_observed', reason, ...nothing },
      { verdict: 'not_observed', reason, ...nothing },
      { verdict: 'passed', reason: null },
    ]);
  });

  it('begin where a check can match on several channels, and need not', async () => {
    const bench = new LiveBench();
    for (const number of [1, 2]) bench.open(number);
    const checks = ['cycle 123 10ms +-1ms', 'never signal Engine.Speed > 1', 'never error on 1'];
    const request = { checks: checks.map((check) => ({ check })), seconds: 1 };
    await expect(checksOn(bench).prepare(request, null)).resolves.toBeUndefined();
  });

  it.each<[string, Partial<LiveCheckRequest>, string, string]>([
    ['cycle Motor 10ms +-1ms', {}, 'invalid_argument', 'no message Motor'],
    ['cycle 123 10ms +-1ms on 2', { channels: ['1'] }, 'invalid_argument', '2 is not among'],
    ['never error on 2', { channels: ['1'] }, 'invalid_argument', '2 is not among'],
    ['never error', {}, 'invalid_argument', 'matches on several channels: 1, 2; add on'],
    ['load < 60%', {}, 'invalid_argument', 'matches on several channels: 1, 2; add on'],
    ['never e2e_error cars/Wheels', {}, 'invalid_argument', 'no gateway is loaded'],
  ])('refuse %s before they begin', async (check, request, code, message) => {
    const bench = new LiveBench();
    for (const number of [1, 2]) bench.open(number);
    const checks = [{ check }];
    const refused = await refusalOf(
      checksOn(bench).prepare({ checks, seconds: 1, ...request }, null),
    );
    expect(refused.code).toBe(code);
    expect(refused.message).toContain(message);
    expect(refused.message).toContain('checks[0].check');
  });

  it('name the check file in refusals', async () => {
    const bench = new LiveBench();
    bench.open(1);
    const request = { file: 'bus.checks.json', seconds: 1 };
    const refused = await refusalOf(checksOn(bench).prepare(request, null));
    expect(refused.message).toContain('bus.checks.json: checks[0].check: expected a message');
    expect(refused.details).toMatchObject({ field: 'file', path: 'bus.checks.json' });
  });

  it('refuse an event id that no event has yet', async () => {
    const bench = new LiveBench();
    bench.open(1);
    bench.publish(frameEvent(0, 1, '123', ''));
    const request = { checks: [{ check: 'never error' }], seconds: 1 };
    await checksOn(bench).prepare({ ...request, after: 1 }, null);
    for (const refused of [
      await refusalOf(checksOn(bench).prepare({ ...request, after: 2 }, null)),
      await refusalOf(checksOn(bench).run({ ...request, after: 99_999_999 }, null)),
    ]) {
      expect(refused).toMatchObject({
        code: 'invalid_argument',
        details: { field: 'after', maximum: 1 },
      });
    }
    expect(bench.hubs.hub.consumersOf(0)).toEqual([]);
  });

  it('name the field of a channel that is not open', async () => {
    const bench = new LiveBench();
    bench.open(1);
    const names = {
      ...bench.names(),
      slotOf: () => Promise.reject(new BusbarError('channel_not_open')),
    };
    const refused = await refusalOf(chosenChannels(['nope'], names, null));
    expect(refused).toMatchObject({ code: 'channel_not_open', details: { field: 'channels' } });
  });

  it('need an open channel', async () => {
    const refused = await refusalOf(
      checksOn(new LiveBench()).prepare({ checks: [{ check: 'never gap' }], seconds: 1 }, null),
    );
    expect(refused).toMatchObject({ code: 'channel_not_open', message: 'No channel is open' });
  });
});
