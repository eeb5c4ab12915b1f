import { symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/workbench.ts';
import { api, refusedByCli, refusedOverHttp } from './support/channel-bench.ts';
import { driveLog, mainFrames, play, replayEnd, setUpDrive } from './support/drive-trace.ts';
import { reuseTransmitBench } from './support/transmit-bench.ts';

const setUp = reuseTransmitBench();

describe('the life of a replay', () => {
  it('goes round until it is stopped, and then stays silent', async () => {
    const bench = await setUpDrive(setUp);
    // Slow enough that the history retains all of them until they are read.
    const request = { file: 'drive.log', channels: { can0: 'SIM00001/0' }, speed: 2, loop: true };
    expect(await bench.create('replay', request)).toMatchObject({ state: 'running', loop: true });
    await bench.until('replay', ({ loops }) => loops >= 3);
    const stopped = await bench.end('replay');
    expect(stopped).toMatchObject({ state: 'finished', stopped: true, error: null });
    expect(stopped.loops).toBeGreaterThanOrEqual(3);
    await bench.drained('SIM00001/0');
    const received = await bench.received('SIM00001/1', stopped.frames_sent);
    for (const [index, event] of received.entries())
      expect(event).toMatchObject(mainFrames[index % 7] ?? {});
    expect(await bench.status('replay')).toEqual(stopped);
  });

  it('tells how far it is, also while it waits for the next event', async () => {
    const bench = await setUpDrive(setUp);
    bench.write('wait.log', '(100.000000) can0 123#01\n(3700.000000) can0 123#02\n');
    await bench.create('replay', { file: 'wait.log', channels: { can0: 'SIM00001/0' } });
    const record = await bench.until('replay', ({ frames_sent }) => frames_sent === 1);
    expect(record).toMatchObject({ state: 'running', duration_us: 3_600_000_000 });
    expect(record.position_us).toBeLessThan(3_600_000_000);
  });

  it('keeps its file from being logged over, by its name and by a link', async () => {
    const bench = await setUpDrive(setUp);
    bench.write('wait.asc', driveLog);
    const content = bench.read('wait.asc');
    symlinkSync(bench.path('wait.asc'), bench.path('link.asc'));
    await bench.create('replay', {
      file: 'wait.asc',
      channels: { can0: 'SIM00001/0' },
      loop: true,
    });
    for (const file of ['wait.asc', 'link.asc']) {
      const refused = await bench.post(`${api}/logging`, { file, overwrite: true });
      expect(refusedOverHttp(refused)).toMatchObject({
        status: 409,
        code: 'busy',
        details: { field: 'file', reason: 'replayed' },
      });
    }
    expect(bench.read('wait.asc')).toBe(content);
    const { state, file } = await bench.status('logging');
    expect(state).toBe('idle');
    expect(['wait.asc', 'link.asc']).not.toContain(file);
    await bench.end('replay');
    await bench.create('logging', { file: 'wait.asc', overwrite: true });
    await bench.end('logging');
    expect(bench.read('wait.asc')).toMatch(/^date /);
  });

  it('is one at a time, and a second one is told of the first', async () => {
    const bench = await setUpDrive(setUp);
    const request = { file: 'drive.log', channels: { can0: 'SIM00001/0' }, loop: true };
    const { started_at_us } = await bench.create('replay', request);
    const details = { state: 'running', file: 'drive.log', started_at_us };
    const again = { ...request, channels: { can0: 'SIM00001/2' } };
    const code = 'already_running';
    const web = refusedOverHttp(await bench.post(`${api}/replay`, again));
    expect(web).toMatchObject({ status: 409, code, details });
    const cli = await bench.failure('replay', 'start', 'drive.log', '--map=1=SIM00001/2');
    expect(refusedByCli(cli)).toMatchObject({ exit: 1, code, details });
    await bench.end('replay');
    expect(await bench.receivedSoFar('SIM00001/3')).toEqual([]);
  });

  it('fails when a channel of it is closed, and lets the next one begin', async () => {
    const bench = await setUpDrive(setUp);
    const request = {
      file: 'drive.log',
      channels: { can0: 'SIM00001/0', can1: 'SIM00001/2' },
      loop: true,
    };
    await bench.create('replay', request);
    await eventually(async () => (await bench.receivedSoFar('SIM00001/1')).length > 0);
    await bench.remove('SIM00001/2');
    const failed = await bench.status('replay');
    expect(failed).toMatchObject({
      state: 'failed',
      stopped: false,
      error: {
        code: 'channel_not_open',
        details: { reason: 'channel_closed', channel: 'SIM00001/2' },
      },
    });
    expect(failed.finished_at_us).not.toBeNull();
    await bench.drained('SIM00001/0');
    const silent = await bench.receivedSoFar('SIM00001/1');
    expect(silent).toHaveLength((await bench.stats('SIM00001/0')).tx_frames);
    expect(await bench.end('replay')).toEqual(failed);
    expect(
      await play(bench, { ...request, channels: { can0: 'SIM00001/0' }, loop: false }),
    ).toMatchObject({
      state: 'finished',
      frames_sent: 7,
      error: null,
    });
  });

  it('counts what the channel cannot send: error frames, FD on classic CAN, a listener', async () => {
    const bench = await setUp(1);
    await bench.open('SIM00001/0', { bus: 'can', name: 'classic' });
    bench.write('drive.log', `${driveLog}(1767225600.200000) can0 20000004#0000000000000000\n`);
    const request = { file: 'drive.log', channels: { can0: 'classic' }, speed: 50 };
    const record = await play(bench, request);
    expect(record).toMatchObject({
      frames_sent: 6,
      skipped: { unmapped_channel: 2, not_on_bus: 1, error_frame: 1 },
      frames_skipped: 4,
    });
    await bench.change('classic', { mode: 'listen_only' });
    expect(await play(bench, request)).toMatchObject({
      frames_sent: 0,
      skipped: { listen_only: 6 },
    });
  });

  it('goes on while the Web service is stopped', async () => {
    const bench = await setUpDrive(setUp);
    await bench.create('replay', { file: 'drive.log', channels: { can0: 'SIM00001/0' } });
    await bench.json('web', 'stop');
    await bench.start();
    expect(await replayEnd(bench)).toMatchObject({ state: 'finished', frames_sent: 7 });
  });
});
