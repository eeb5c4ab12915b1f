import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HastyClock } from '../base/clock/testing/hasty-clock.ts';
import { traceDecode, tracePdus, traceSignals } from '../operations/trace.ts';
import { CliBench } from './testing/cli-bench.ts';
import { Paper } from './testing/paper.ts';

const line = (seconds: number, frame: string): string =>
  `(170000000${Math.floor(seconds)}.${String(Math.round((seconds % 1) * 10)).padEnd(6, '0')}) can0 ${frame}`;

/** Speeds, and payloads of two packets and of ISO-TP while the speed is low and high. */
const drive = [
  line(0, '123#0100'),
  line(0.1, '18ECFF00#200A0002FFE5FE00'),
  line(0.2, '18EBFF00#0107000000000000'),
  line(0.3, '18EBFF00#02000000FFFFFFFF'),
  line(0.4, '7E0#0322F190'),
  line(0.5, '7E8#037F2231'),
  line(1, '123#0500'),
  line(1.1, '18ECFF00#200A0002FFE5FE00'),
  line(1.2, '18EBFF00#0108000000000000'),
  line(1.3, '123#0600'),
  line(1.4, '18EBFF00#02000000FFFFFFFF'),
  line(1.5, '7E0#1008220102030405'),
  line(1.6, '123#0200'),
  line(1.7, '7E0#210607'),
  line(1.8, '7E8#037F2222'),
  '',
].join('\n');

const database = [
  'VERSION ""',
  'BU_: N',
  'BO_ 291 Engine: 2 N',
  ' SG_ Speed : 0|16@1+ (1,0) [0|65535] "rpm" N',
  'BO_ 2566841854 Hours: 10 N',
  ' SG_ Total : 0|16@1+ (1,0) [0|65535] "h" N',
  'BA_DEF_ BO_ "VFrameFormat" ENUM "StandardCAN","ExtendedCAN","reserved","J1939PG";',
  'BA_DEF_DEF_ "VFrameFormat" "StandardCAN";',
  'BA_ "VFrameFormat" BO_ 2566841854 3;',
  '',
].join('\n');

describe('A filter', () => {
  let bench: CliBench;

  beforeEach(() => {
    bench = new CliBench([traceDecode, traceSignals, tracePdus]);
    bench.clock = new HastyClock();
    writeFileSync(join(bench.folder, 'a.log'), drive);
    writeFileSync(join(bench.folder, 'v.dbc'), database);
  });
  afterEach(() => bench.close());

  const run = async (...argv: readonly string[]): Promise<string> => {
    bench.stdout = new Paper();
    bench.stderr = new Paper();
    expect(await bench.run('trace', ...argv), bench.stderr.text).toBe(0);
    return bench.stdout.text;
  };
  const refusal = async (...argv: readonly string[]): Promise<string> => {
    bench.stderr = new Paper();
    expect(await bench.run('trace', ...argv)).toBe(2);
    return bench.stderr.text;
  };

  const decode = async (filter: string): Promise<{ result: object; values: string[] }> => {
    const argv = ['--database=v.dbc', '--output=a.csv', '--overwrite', '--format=json'];
    const result = JSON.parse(await run('decode', 'a.log', `--filter=${filter}`, ...argv));
    const table = readFileSync(join(bench.folder, 'a.csv'), 'utf8').trim().split('\n').slice(1);
    const values = table.map((row) => row.split(',').slice(3, 5).join('='));
    return { result, values };
  };

  it('selects frames to decode, and payloads by their last frame', async () => {
    expect(await decode('signal Engine.Speed > 4')).toEqual({
      result: expect.objectContaining({ read: 15, filtered: 9, decoded: 2, pdus: 1, unknown: 4 }),
      values: ['Speed=5', 'Speed=6', 'Total=8'],
    });
    expect((await decode('signal Hours.Total = 7')).values).toEqual([
      'Total=7',
      'Speed=5',
      'Speed=6',
    ]);
    expect((await decode('frame 123')).values).toEqual([1, 5, 6, 2].map((rpm) => `Speed=${rpm}`));
    expect((await decode('frame 18EBFF00')).values).toEqual(['Total=7', 'Total=8']);
  });

  it('selects frames whose signals are shown', async () => {
    const argv = ['--database=v.dbc', '--filter=signal Engine.Speed > 4', '--format=json'];
    expect(JSON.parse(await run('signals', 'a.log', ...argv))).toMatchObject({
      ...{ read: 15, filtered: 9 },
      messages: [
        { message: 'Engine', count: 2, signals: [{ minimum: '5', maximum: '6' }] },
        { message: 'Hours', count: 1, signals: [{ first: '8', last: '8' }] },
      ],
    });
  });

  it.each<[string, string[]]>([
    ['pdu isotp nrc 22', ['7F2222']],
    ['pdu j1939', ['07000000000000000000', '08000000000000000000']],
    ['frame 7E0 data 10', ['2201020304050607']],
    ['frame 7E0 data 21', ['2201020304050607']],
    ['signal Engine.Speed > 4', ['08000000000000000000', '2201020304050607']],
    [
      'signal Engine.Speed > 5 and not signal Engine.Speed > 6',
      ['08000000000000000000', '2201020304050607'],
    ],
    ['frame 7FF', []],
  ])('selects PDUs by their frames: %s', async (filter, payloads) => {
    const argv = [`--filter=${filter}`, '--format=jsonl', '--database=v.dbc'];
    const text = await run('pdus', 'a.log', ...argv);
    const found = text.split('\n').filter(Boolean);
    expect(found.map((one) => JSON.parse(one).data)).toEqual(payloads);
  });

  it('is refused where its names mean nothing', async () => {
    const decoding = ['decode', 'a.log', '--database=v.dbc', '--output=b.csv'];
    expect(await refusal(...decoding, '--filter=signal Engine.Sped > 4')).toContain(
      'filter: expected a signal of Engine at offset 14: no signal Sped; did you mean Speed?',
    );
    expect(await refusal(...decoding, '--filter=frame 123 on can7')).toContain('no channel can7');
    expect(await refusal('pdus', 'a.log', '--filter=signal Engine.Speed > 4')).toContain(
      'use --database',
    );
    expect(await refusal('pdus', 'a.log', '--filter=pdu an')).toContain('offset 4');
    expect(await refusal('pdus', 'a.log', '--database=v.dbc')).toContain('set filter too');
  });
});
