import { describe, expect, it } from 'vitest';
import { isLong } from '../../src/base/testing/long.ts';
import { eventually } from '../support/workbench.ts';
import { range, StreamBench } from './support/stream-bench.ts';
import { linesOf, startReceiver } from './support/stream-receivers.ts';

interface Gap {
  readonly event: 'gap';
  readonly oldest_available: number;
  readonly newest_available: number;
  readonly missed: number;
}

const frames = 45_000;

describe.runIf(isLong)('message recv that is not let run for a while', () => {
  it('gets what the whole ring holds, tells exactly what it missed, and goes on', async () => {
    const bench = await StreamBench.start();
    const receiver = await startReceiver(bench.workbench, '--channel=SIM00001/0', '--format=jsonl');
    await bench.send(0, 1);
    await eventually(() => linesOf(receiver.stdout).length === 1);
    receiver.kill('SIGSTOP');
    await bench.send(0, frames - 1, { id: 1, data: '' });
    receiver.kill('SIGCONT');
    await eventually(() => receiver.stdout.includes(`"source_sequence":${frames},`));
    receiver.kill('SIGINT');
    expect(await receiver.ended).toEqual({ code: 0, signal: null });

    const words = linesOf(receiver.stdout).map((line) => JSON.parse(line));
    const gaps = words.filter(({ event }) => event === 'gap') as Gap[];
    expect(gaps).toHaveLength(1);
    const [gap] = gaps as [Gap];
    const sequences = words.flatMap(({ source_sequence }) => source_sequence ?? []);
    const first = sequences.indexOf((gap.oldest_available + 1) / 2);
    const resumedAt = sequences[first] ?? 0;
    const before = sequences.slice(0, first);
    expect(before).toEqual(range(1, before.length));
    expect(sequences.slice(first)).toEqual(range(resumedAt, frames));
    expect(gap.missed).toBe(resumedAt - before.length - 1);
    expect(gap.newest_available).toBe(2 * frames - 1);
    // More than the Web service would return.
    expect(frames - resumedAt).toBeGreaterThan(8192);
  });
});
