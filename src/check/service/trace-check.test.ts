import { MessageChannel } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { RpcPort } from '../../base/threads/rpc-port.ts';
import { frameEvent } from '../../condition/testing/story.ts';
import { DecoderThreads } from '../../table/service/decoder-threads.ts';
import { createBlf } from '../../trace/blf/create-blf.ts';
import { openTrace } from '../../trace/open-trace.ts';
import { MemorySource } from '../../trace/testing/memory-bytes.ts';
import { type TraceEvent, writeTrace } from '../../trace/testing/trace-events.ts';
import type { CheckReport } from '../check-record.ts';
import { CheckPool, type EvaluationRpc, offerEvaluation, sharesOf } from './check-pool.ts';
import { type CheckSetup, checkSetup } from './check-setup.ts';
import { TraceCheck } from './trace-check.ts';

const dbc = Buffer.from(
  [
    'VERSION ""',
    'BU_: ECU',
    'BO_ 291 Engine: 2 ECU',
    ' SG_ Speed : 0|8@1+ (1,0) [0|255] "" ECU',
    ' SG_ Counter : 8|4@1+ (1,0) [0|15] "" ECU',
    '',
  ].join('\n'),
);

const setupOf = (checks: readonly string[], bitrates: readonly string[] = []): CheckSetup =>
  checkSetup(
    {
      checks: checks.map((check) => ({ check })),
      databases: [{ file: 'engine.dbc' }],
      bitrates,
    },
    { checkFile: () => Buffer.from('{}'), database: () => dbc },
  );

const checkOf = (bytes: Uint8Array, setup: CheckSetup): TraceCheck => {
  const source = new MemorySource(bytes);
  const reader = openTrace(source);
  return new TraceCheck({ file: 'a', source, reader, setup, eventsPerPart: 128 });
};

const reportOf = (bytes: Uint8Array, setup: CheckSetup): CheckReport => {
  const steps = checkOf(bytes, setup).run();
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
};

const log = (lines: readonly string[]): Buffer =>
  Buffer.from(lines.map((line) => `(${line}\n`).join(''));

const refusalOf = (lines: readonly string[], ...args: Parameters<typeof setupOf>) => {
  try {
    return reportOf(log(lines), setupOf(...args)).verdict;
  } catch (thrown) {
    const { message, details } = thrown as { message: string; details: Record<string, unknown> };
    return { message, ...details };
  }
};

const two = ['1.000000) can0 123#0001', '1.100000) can1 123#0001'];

describe('A check of a trace', () => {
  it('describes the trace, its channels and the databases', () => {
    const report = reportOf(log(two), setupOf(['cycle Engine 1s +-10% on can0'], ['500k/2M@2']));
    expect(report).toMatchObject({
      verdict: 'not_observed',
      started_at_us: 1_000_000,
      duration_us: 100_000,
      events: 2,
      environment: {
        trace: {
          format: 'candump',
          size: 50,
          sha256: '9964d9dc75728dd653b22439de2c65d6ebe46a8cc3158f4918172f36dc8ba9ce',
        },
        channels: [
          { channel: 1, name: 'can0', bitrate: null },
          { channel: 2, name: 'can1', bitrate: 500_000, data_bitrate: 2_000_000 },
        ],
        databases: [{ file: 'engine.dbc', channel: null, size: dbc.length }],
      },
    });
  });

  it.each<[string, string, string]>([
    ['cycle 123 1s +-10% on 3', 'checks[0].check', 'no channel 3; available: 1 = can0, 2 = can1'],
    ['never error on can2', 'checks[0].check', 'no channel can2'],
    ['order error then 123 within 1s on 9', 'checks[0].check', 'no channel 9'],
    ['cycle 123 1s +-10%', 'checks[0].check', 'matches on several channels: 1, 2'],
    ['value Engine.Speed in 0..1', 'checks[0].check', 'matches on several channels: 1, 2'],
    ['answer 123# with 123# within 1s', 'checks[0].check', 'matches on several channels: 1, 2'],
    ['load < 5%', 'bitrate', 'bitrate is required: the bit rate of channel 1'],
    ['never e2e_error a/Engine', 'checks[0].check', 'no gateway is known here'],
  ])('is refused for %s', (check, field, message) => {
    expect(refusalOf(two, [check])).toMatchObject({
      field,
      message: expect.stringContaining(message),
    });
  });

  it('is refused for the bit rate of a channel that the trace does not have', () => {
    expect(refusalOf(two, ['never gap'], ['500k@3'])).toMatchObject({
      field: 'bitrate',
      channel: '3',
      file_channels: ['1', '2'],
    });
  });

  it('does not miss a channel if there are no events', () => {
    expect(refusalOf(['1.000000) can0 123#Q'], ['never error on 3'])).toBe('not_observed');
  });

  it('judges neither across an invalid part nor beyond the end of a truncated file', () => {
    const lines = ['1.000000) can0 123#0001', '1.100000) can0 123#0002'];
    const check = ['value Engine.Speed in 0..9'];
    expect(refusalOf(lines, check)).toBe('passed');
    expect(refusalOf([...lines, '1.200000) can0 123#Q', '1.300000) can0 123#0003'], check)).toBe(
      'not_observed',
    );
    const cut = log([...lines, '1.200000) can0 123#0003']).subarray(0, -1);
    expect(reportOf(cut, setupOf(check)).verdict).toBe('not_observed');
  });

  it('judges an invalid part as events that are missing at its place', async () => {
    const timeOf = (at: number): string => (1 + at / 100).toFixed(6);
    const frames = Array.from({ length: 600 }, (_, at) => {
      const counter = (at < 300 ? at : at + 5) % 16;
      return `(${timeOf(at)}) can0 123#00${counter.toString(16).padStart(2, '0')}\n`;
    });
    const withPart = (line: string): Buffer =>
      Buffer.from([...frames.slice(0, 300), `${line}\n`, ...frames.slice(300)].join(''));
    const setup = setupOf(['counter Engine.Counter', 'cycle Engine 10ms +-10%', 'never gap']);
    const invalid = withPart(`(${timeOf(300)}) can0 123#Q`);
    const report = reportOf(invalid, setup);
    const missing = reportOf(withPart('# Some events are missing here'), setup);
    expect(report).toMatchObject({ gaps: 1, events: 600 });
    expect(report.checks.map(({ verdict, violation_total }) => [verdict, violation_total])).toEqual(
      [
        ['not_observed', 0],
        ['not_observed', 0],
        ['failed', 1],
      ],
    );
    expect(report.checks).toEqual(missing.checks);
    expect((await inThreads(invalid, setup, 2)).checks).toEqual(report.checks);
  });
});

/** Threads in this one: their messages are copied as between threads. */
const threadsHere = (count: number): DecoderThreads<EvaluationRpc> =>
  new DecoderThreads<EvaluationRpc>(
    count,
    () => {
      const { port1, port2 } = new MessageChannel();
      new RpcPort(port2, offerEvaluation(), () => undefined);
      return {
        postMessage: (message, transfer) => port1.postMessage(message, [...(transfer ?? [])]),
        on: (event, listener) => port1.on(event as 'message', listener),
        terminate: () => Promise.resolve(port1.close()),
      };
    },
    () => undefined,
  );

const inThreads = async (
  bytes: Uint8Array,
  setup: CheckSetup,
  count: number,
): Promise<CheckReport> => {
  const threads = threadsHere(count);
  try {
    const check = checkOf(bytes, setup);
    const pool = new CheckPool(threads, setup, check.startUnixUs);
    return await check.runIn(pool, () => undefined);
  } finally {
    await threads.close();
  }
};

describe('Checks in threads', () => {
  const checks = [
    'cycle Engine 10ms +-10%',
    'counter Engine.Counter',
    'value Engine.Speed in 0..200',
    'never silence 123 15ms',
    'never signal Engine.Speed = 255',
    'order 123 then 124 within 8ms',
    'answer 123# with 124# within 3ms',
    'load < 50%',
    'never gap',
  ];

  /** More parts than wait at a time. Some frames are late, jump or do not come. */
  const traffic = (): Buffer => {
    const events: TraceEvent[] = [];
    for (let at = 0; at < 1000; at++) {
      const late = at % 97 === 0 ? 4 : 0;
      const data = [at % 109 === 5 ? 0 : at % 256, at % 16];
      events.push(frameEvent(at * 10 + late, 1, '123', Buffer.from(data).toString('hex')));
      if (at % 91 !== 7) events.push(frameEvent(at * 10 + 5, 1, '124', '00'));
    }
    return writeTrace(createBlf, 1_700_000_000_000_000, events);
  };

  it('give the report of one thread', async () => {
    const bytes = traffic();
    const setup = setupOf(checks, ['500k']);
    const alone = reportOf(bytes, setup);
    expect(alone.events).toBeGreaterThan(1900);
    expect(alone.failed).toBeGreaterThan(3);
    for (const count of [1, 3, 12]) {
      expect(await inThreads(bytes, setup, count), `${count} threads`).toEqual(alone);
    }
  });

  it('are refused as in one thread', async () => {
    const setup = setupOf(['never gap', 'cycle 123 1s +-10%']);
    await expect(inThreads(log(two), setup, 2)).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { field: 'checks[1].check' },
    });
  });

  it('are dealt out, conditions together and loads apart from them', () => {
    const { checks: parsed } = setupOf(checks);
    expect(sharesOf(parsed, 3)).toEqual([
      [0, 3, 4, 5],
      [1, 6],
      [2, 7, 8],
    ]);
    for (const count of [1, 2, 3, 4, 20]) {
      const dealt = sharesOf(parsed, count).flat();
      expect(dealt.sort((a, b) => a - b)).toEqual(parsed.map((_, index) => index));
    }
  });
});
