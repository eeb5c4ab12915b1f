import { describe, expect, it } from 'vitest';
import type { EventView } from './support/channel-bench.ts';
import { mainFrames, mainTimesUs, play, replayEnd, setUpDrive } from './support/drive-trace.ts';
import { type Answered, reuseTransmitBench, timeOf } from './support/transmit-bench.ts';

const setUp = reuseTransmitBench();

/** Maximum duration of a frame of this trace at 500 kbit/s, and of early frames. */
const frameUs = 400;
const earlyUs = 50;

/** Frames have the intervals of the file, apart from the recorded lateness. */
const expectTiming = (
  received: readonly EventView[],
  expectedUs: readonly number[],
  { max_lateness_us }: Answered,
): void => {
  const tolerance = max_lateness_us + frameUs + earlyUs;
  const start = timeOf(received[0]);
  for (const [index, event] of received.entries()) {
    const offUs = timeOf(event) - start - (expectedUs[index] ?? Number.NaN);
    expect(Math.abs(offUs), `frame ${index}`).toBeLessThanOrEqual(tolerance);
  }
};

describe('a replay', () => {
  it.each(['drive.log', 'drive.asc', 'drive.blf', 'drive.mf4'])(
    'sends the frames of a file with its timing: %s',
    async (file) => {
      const bench = await setUpDrive(setUp);
      if (file !== 'drive.log') await bench.json('trace', 'convert', 'drive.log', file);
      const record = await play(bench, { file, channels: { 1: 'SIM00001/0', 2: 'SIM00001/2' } });
      expect(record).toMatchObject({
        state: 'finished',
        stopped: false,
        file,
        channels: { 1: 'SIM00001/0', 2: 'SIM00001/2' },
        speed: 1,
        loop: false,
        loops: 1,
        start_offset_us: 0,
        position_us: 120_000,
        duration_us: 120_000,
        progress: 1,
        frames_sent: 9,
        frames_skipped: 0,
        skipped: {},
        malformed: 0,
        truncated: false,
        deviation_us: { count: 9 },
        error: null,
      });
      expect(record.finished_at_us).toBeGreaterThanOrEqual(record.started_at_us + 120_000);
      const received = await bench.received('SIM00001/1', 7);
      expect(received).toMatchObject([...mainFrames]);
      expectTiming(received, mainTimesUs, record);
      const other = await bench.received('SIM00001/3', 2);
      expect(other).toMatchObject([{ data: 'AA' }, { data: 'BB' }]);
      expectTiming(other, [0, 76_500], record);
      expect(await bench.end('replay')).toEqual(record);
      expect(await bench.json('replay', 'status')).toEqual(record);
    },
  );

  it.each([2, 0.5, 10])('goes %d times as fast', async (speed) => {
    const bench = await setUpDrive(setUp);
    const record = await play(bench, {
      file: 'drive.log',
      channels: { can0: 'SIM00001/0' },
      speed,
    });
    expect(record).toMatchObject({
      state: 'finished',
      speed,
      position_us: 120_000,
      frames_sent: 7,
    });
    const due = mainTimesUs.map((us) => us / speed);
    expectTiming(await bench.received('SIM00001/1', 7), due, record);
  });

  it('begins behind the offset, and counts what lies before it', async () => {
    const bench = await setUpDrive(setUp);
    const request = {
      file: 'drive.log',
      channels: { can0: 'SIM00001/0', can1: 'SIM00001/2' },
      start_offset_us: 20_600,
    };
    const record = await play(bench, request);
    expect(record).toMatchObject({
      frames_sent: 5,
      frames_skipped: 4,
      skipped: { before_offset: 4 },
      start_offset_us: 20_600,
    });
    const received = await bench.received('SIM00001/1', 4);
    expect(received).toMatchObject(mainFrames.slice(3));
    expectTiming(received, [0, 24_400, 69_400, 99_400], record);
    const beyond = await play(bench, { ...request, start_offset_us: 1_000_000 });
    expect(beyond).toMatchObject({
      state: 'finished',
      frames_sent: 0,
      skipped: { before_offset: 9 },
    });
  });

  it('passes over channels that are not mapped, and may put several onto one', async () => {
    const bench = await setUpDrive(setUp);
    const alone = await play(bench, {
      file: 'drive.log',
      channels: { 2: 'SIM00001/0' },
      speed: 100,
    });
    expect(alone).toMatchObject({
      frames_sent: 2,
      frames_skipped: 7,
      skipped: { unmapped_channel: 7 },
    });
    await bench.received('SIM00001/1', 2);
    const before = await bench.newest();
    await play(bench, {
      file: 'drive.log',
      channels: { can0: 'SIM00001/0', can1: 'SIM00001/0' },
      speed: 100,
    });
    const both = await bench.received('SIM00001/1', 9, before);
    expect(both.map(({ id }) => id)).toEqual([
      0x123, 0x123, 0x7ff, 0x18ff50e5, 0x124, 0x125, 0x7ff, 0x126, 0x123,
    ]);
  });

  it('sends one interface for each mapping, by its name before its number', async () => {
    const bench = await setUpDrive(setUp);
    bench.write('two.log', '(1767225600.000000) 2 222#02\n(1767225600.001000) 1 111#01\n');
    const record = await play(bench, { file: 'two.log', channels: { 1: 'SIM00001/0' } });
    expect(record).toMatchObject({ frames_sent: 1, skipped: { unmapped_channel: 1 } });
    expect(await bench.received('SIM00001/1', 1)).toMatchObject([{ id: 0x111 }]);
  });

  it('tells what the file holds that is no event, and that it was cut', async () => {
    const bench = await setUpDrive(setUp);
    const lines = [
      'date Thu Jan 1 12:00:00.000 am 2026',
      'base hex  timestamps absolute',
      'Begin TriggerBlock Thu Jan 1 12:00:00.000 am 2026',
      '   0.000000 Start of measurement',
      '   0.100000 1  123             TxRq d 1 01',
      '   0.100100 1  123             Tx   d 1 01',
      '   0.100200 1  EngineData      Rx   d 1 02',
      '   0.100300 1  12',
    ];
    bench.write('cut.asc', lines.join('\n'));
    const record = await play(bench, { file: 'cut.asc', channels: { 1: 'SIM00001/0' } });
    expect(record).toMatchObject({
      state: 'finished',
      frames_sent: 1,
      frames_skipped: 0,
      skipped: {},
      unread: { marker: 1, tx_request: 1, symbolic: 1 },
      truncated: true,
    });
  });

  it('merges files by time, changes identifiers, and repeats as often as asked', async () => {
    const bench = await setUpDrive(setUp);
    bench.write('b.log', '(1767225600.001000) can0 7FF#01\n(1767225600.100000) can0 7FF#02\n');
    const args = ['--map=1:can0=SIM00001/0', '--map=2:can0=SIM00001/0', '--ids=7FF=18FF50E6'];
    const repeat = ['--repeat=count=2,pause-us=20000', '--speed=2'];
    const files = ['drive.log', 'b.log'];
    expect(await bench.json('replay', 'start', ...files, ...args, ...repeat)).toMatchObject({
      state: 'running',
      file: 'drive.log',
      files,
      format: 'candump',
      ids: { '7FF': '18FF50E6' },
      repeat: { count: 2, pause_us: 20_000 },
    });
    const record = await replayEnd(bench);
    const skipped = { unmapped_channel: 4 };
    expect(record).toMatchObject({ state: 'finished', loops: 2, frames_sent: 18, skipped });
    const lap = [0x123, 0x18ff50e6, 0x123, 0x18ff50e5, 0x124, 0x125, 0x126, 0x18ff50e6, 0x123];
    const received = await bench.received('SIM00001/1', 18);
    expect(received.map(({ id }) => id)).toEqual([...lap, ...lap]);
    expectTiming([received[8] ?? {}, received[9] ?? {}] as EventView[], [0, 20_000], record);
  });

  it('sends what a filter passes, with signals of the databases of its channel', async () => {
    const bench = await setUpDrive(setUp);
    const signal = 'SG_ Value : 0|8@1+ (1,0) [0|255] "" N';
    bench.write('drive.dbc', `VERSION ""\nBU_: N\nBO_ 291 Drive: 1 N\n ${signal}\n`);
    await bench.json('database', 'load', 'drive.dbc');
    const request = {
      file: 'drive.log',
      channels: { can0: 'SIM00001/0' },
      filter: 'signal Drive.Value = 2',
      speed: 100,
    };
    const refused = await bench.post('/api/v1/replay', request);
    expect(refused.json().error).toMatchObject({
      code: 'invalid_argument',
      details: { field: 'filter', offset: 7, expected: 'a database for the signal' },
    });
    await bench.json('database', 'attach', 'drive', '--channel=SIM00001/0');
    const record = await play(bench, request);
    expect(record).toMatchObject({
      filter: 'signal Drive.Value = 2',
      frames_sent: 5,
      skipped: { filtered: 2, unmapped_channel: 2 },
    });
    const received = await bench.received('SIM00001/1', 5);
    expect(received).toMatchObject(mainFrames.slice(1, 6));
  });

  it('is run on the command line as over HTTP', async () => {
    const bench = await setUpDrive(setUp);
    const args = [
      'drive.log',
      '--map=can0=SIM00001/0',
      '--map=can1=SIM00001/2',
      '--speed=10',
      '--start-offset-us=1',
    ];
    expect(await bench.json('replay', 'start', ...args)).toMatchObject({
      state: 'running',
      format: 'candump',
      channels: { can0: 'SIM00001/0', can1: 'SIM00001/2' },
      speed: 10,
      start_offset_us: 1,
    });
    const record = await replayEnd(bench);
    expect(record).toMatchObject({ state: 'finished', frames_sent: 8 });
    expect(await bench.json('replay', 'status')).toEqual(record);
    expect(await bench.json('replay', 'stop')).toEqual(record);
  });

  it('waits for a bus that is slower than the file, and loses nothing', async () => {
    const bench = await setUpDrive(setUp);
    const count = 2000;
    const lines = Array.from({ length: count }, (_, index) => {
      const data = index.toString(16).padStart(16, '0');
      return `(1767225600.${String(index).padStart(6, '0')}) can0 123#${data}\n`;
    });
    bench.write('burst.log', lines.join(''));
    const record = await play(bench, { file: 'burst.log', channels: { can0: 'SIM00001/0' } });
    expect(record).toMatchObject({ state: 'finished', frames_sent: count, frames_skipped: 0 });
    const received = await bench.received('SIM00001/1', count);
    expect(received.map(({ data }) => Number.parseInt(data, 16))).toEqual(
      Array.from({ length: count }, (_, index) => index),
    );
  });
});
