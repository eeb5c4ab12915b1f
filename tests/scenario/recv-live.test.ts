import { spawn } from 'node:child_process';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { busbar, eventually, setUpWorkbench, Workbench } from '../support/workbench.ts';
import { type HistoryRecord, selectorOf } from './support/stream-bench.ts';
import { consumersOf, linesOf, startReceiver } from './support/stream-receivers.ts';

/** Opens channels of a daemon without a Web service. */
const openOn = async (bench: Workbench, ports: readonly number[]): Promise<void> => {
  for (const port of ports) await bench.call('channel.open', { channel: selectorOf(port) });
};

const shared = new Workbench();
afterAll(() => shared.dispose());

const newestOf = async (bench: Workbench): Promise<number> =>
  (await bench.call<HistoryRecord>('message.history', { limit: 1 })).newest_available ?? 0;

/**
 * The daemon shared by most tests, with separate channels for each, and the newest event before
 * them.
 */
const startDaemon = async (...ports: number[]) => {
  const bench = shared;
  onTestFinished(async () => {
    const { channels } = await bench.call<{ channels: { selector: string }[] }>('channel.list');
    for (const { selector } of channels) await bench.call('channel.close', { selector });
  });
  const before = await newestOf(bench);
  await openOn(bench, ports);
  return { bench, before };
};

const send = (bench: Workbench, port: number, count = 1) =>
  bench.call('message.send', { channel: selectorOf(port), id: 0x123, data: 'C0FFEE', count });

const close = (bench: Workbench, port: number) =>
  bench.call('channel.close', { selector: selectorOf(port) });

const eventIds = (stdout: string): number[] =>
  linesOf(stdout).map((line) => JSON.parse(line).event_id);

const pipe = (bench: Workbench, command: string): Promise<{ stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    const child = spawn('bash', ['-o', 'pipefail', '-c', command], {
      cwd: bench.project,
      env: { ...bench.environment, NODE: process.execPath, BUSBAR: busbar },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const read = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        read[name] += text;
      });
    }
    child.on('close', () => resolve(read));
  });

describe('message recv without a Web service', () => {
  it('starts with what comes next, and Ctrl-C ends it well with everything printed', async () => {
    const { bench, before } = await startDaemon(0, 1);
    await send(bench, 0, 3);
    await eventually(async () => (await newestOf(bench)) === before + 6);
    const receiver = await startReceiver(bench, '--format=jsonl');
    await send(bench, 0, 50);
    await eventually(() => linesOf(receiver.stdout).length === 100);
    receiver.killGroup('SIGINT');
    expect(await receiver.ended).toEqual({ code: 0, signal: null });
    const ids = eventIds(receiver.stdout);
    expect(ids).toEqual(Array.from({ length: 100 }, (_, index) => before + index + 7));
    expect(receiver.stderr).toBe('');
    await eventually(async () => (await consumersOf(bench, 'recv')) === 0);
  });

  it('prints no epoch that is not there', async () => {
    const { bench, before } = await startDaemon(0, 1);
    const receiver = await startReceiver(bench, '--count=2', '--format=jsonl');
    await send(bench, 1);
    expect(await receiver.ended).toEqual({ code: 0, signal: null });
    expect(linesOf(receiver.stdout).map((line) => JSON.parse(line))).toMatchObject([
      { event_id: before + 1, stream_epoch: 0, selector: 'SIM00001/1', kind: 'tx_complete' },
      { event_id: before + 2, stream_epoch: 0, selector: 'SIM00001/0', kind: 'rx_frame' },
    ]);
  });

  it('serves two receivers at once, each with its own filter and pace', async () => {
    const { bench, before } = await startDaemon(0, 1, 2, 3);
    const all = await startReceiver(bench, '--count=80', '--format=jsonl');
    const one = await startReceiver(bench, '--channel=SIM00001/0', '--count=10', '--format=jsonl');
    await send(bench, 0, 20);
    await send(bench, 2, 20);
    expect(await one.ended).toEqual({ code: 0, signal: null });
    expect(await all.ended).toEqual({ code: 0, signal: null });
    expect(eventIds(all.stdout)).toEqual(
      Array.from({ length: 80 }, (_, index) => before + index + 1),
    );
    expect(eventIds(one.stdout)).toEqual(
      Array.from({ length: 10 }, (_, index) => before + 2 * index + 1),
    );
  });

  it('ends quietly with its reader', async () => {
    const { bench, before } = await startDaemon(0, 1);
    await send(bench, 0, 2000);
    // The exit status of the receiver is printed after the lines of head.
    const { stdout, stderr } = await pipe(
      bench,
      `{ "$NODE" "$BUSBAR" message recv --after=${before}; echo "ended with $?" >&2; } | head -3`,
    );
    expect(linesOf(stdout)).toHaveLength(3);
    expect(stderr).toBe('ended with 0\n');
    await eventually(async () => (await consumersOf(bench, 'recv')) === 0);
  });

  it('ends well when the channel it follows is closed, with all that came before', async () => {
    const { bench } = await startDaemon(0, 1);
    const receiver = await startReceiver(bench, '--channel=SIM00001/0', '--format=jsonl');
    await send(bench, 0, 100);
    await eventually(() => receiver.stdout.includes('"source_sequence":100,'));
    await close(bench, 0);
    expect(await receiver.ended).toEqual({ code: 0, signal: null });
    expect(eventIds(receiver.stdout)).toHaveLength(100);
  });

  it('says why it ended where people read it', async () => {
    const { bench } = await startDaemon(0);
    const receiver = await startReceiver(bench, '--channel=SIM00001/0');
    await close(bench, 0);
    expect(await receiver.ended).toEqual({ code: 0, signal: null });
    expect(receiver.stderr).toBe('end: the channel was closed\n');
  });

  it('of all channels goes on when one is closed, and follows those opened later', async () => {
    const { bench, before } = await startDaemon(0, 1);
    const receiver = await startReceiver(bench, '--format=jsonl', '--count=4');
    await send(bench, 0);
    await eventually(() => linesOf(receiver.stdout).length === 2);
    await close(bench, 0);
    const { slot } = await bench.call<{ slot: number }>('channel.open', { channel: selectorOf(0) });
    await send(bench, 0);
    expect(await receiver.ended).toEqual({ code: 0, signal: null });
    expect(linesOf(receiver.stdout).map((line) => JSON.parse(line))).toMatchObject([
      { event_id: before + 1, channel: slot - 2, selector: 'SIM00001/0' },
      { event_id: before + 2, channel: slot - 1, selector: 'SIM00001/1' },
      { event_id: before + 3, channel: slot, selector: 'SIM00001/0' },
      { event_id: before + 4, channel: slot - 1, selector: 'SIM00001/1' },
    ]);
  });

  it('ends when the daemon does, with all that came before', async () => {
    const bench = setUpWorkbench();
    await openOn(bench, [0, 1]);
    const receiver = await startReceiver(bench);
    await send(bench, 0, 10);
    await eventually(() => linesOf(receiver.stdout).length === 20);
    await bench.json('daemon', 'stop');
    expect(await receiver.ended).toEqual({ code: 0, signal: null });
    expect(receiver.stderr).toBe('end: the service shut down\n');
    expect(linesOf(receiver.stdout)).toHaveLength(20);
  });

  it('needs a daemon and starts none', async () => {
    const bench = setUpWorkbench();
    const { exit, code } = await bench.failure('message', 'recv');
    expect({ exit, code }).toEqual({ exit: 3, code: 'daemon_unreachable' });
  });
});
