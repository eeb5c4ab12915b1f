import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { setUpWorkbench } from '../support/workbench.ts';
import { linesOf, startReceiver } from './support/stream-receivers.ts';

interface Started {
  readonly pid: number;
  readonly realtime: 'active' | 'refused';
}

/** Empty for a thread that has ended, such as the recorder's. */
const read = (path: string): string => {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
};

/** Threads of a process with SCHED_FIFO, and those with ordinary scheduling. */
const scheduling = (pid: number): { readonly fifo: number[]; readonly ordinary: number[] } => {
  const threads = { fifo: [] as number[], ordinary: [] as number[] };
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const stat = read(`/proc/${pid}/task/${thread}/stat`);
    if (stat === '') continue;
    const [policy] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(38);
    threads[policy === '1' ? 'fifo' : 'ordinary'].push(Number(thread));
  }
  return threads;
};

describe('a daemon that asks for real-time scheduling', () => {
  it('has it for its deadlines and compilers, not for clients, and serves as any other', async () => {
    const bench = setUpWorkbench();
    const channels = ['--channel=SIM00001/0', '--channel=SIM00001/1'];
    const { pid, realtime } = await bench.json<Started>(
      'daemon',
      'start',
      '--realtime',
      ...channels,
    );
    expect(await bench.json('channel', 'list')).toMatchObject({
      channels: [{ slot: 0 }, { slot: 1 }],
    });
    expect(await bench.json('tx-task', 'list')).toEqual({ tx_tasks: [] });

    const wanted = ['--channel=SIM00001/0', '--count=50', '--format=jsonl'];
    const receiver = await startReceiver(bench, ...wanted);
    await bench.json('logging', 'start', 'drive.asc');
    const frame = ['100#01', '--period-us=1000', '--pattern=increment_data', '--count=50'];
    await bench.json('tx-task', 'add', 'SIM00001/1', ...frame);
    expect(await receiver.ended).toMatchObject({ code: 0 });
    const events = linesOf(receiver.stdout).map((line) => JSON.parse(line));
    expect(events.map((event) => event.source_sequence)).toEqual(
      Array.from({ length: 50 }, (_, index) => index + 1),
    );
    const logged = await bench.json('logging', 'stop');
    expect(logged).toMatchObject({ frames: 100, gaps: 0, error: null });

    const { fifo, ordinary } = scheduling(pid);
    if (realtime === 'active') expect(fifo).toContain(pid);
    else expect(fifo).toEqual([]);
    expect(fifo.length > 1).toBe(realtime === 'active');
    expect(ordinary.length).toBeGreaterThan(1);
  });
});
