import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../support/workbench.ts';
import { SignalBench } from './support/signal-bench.ts';

const signals = 64;
const kept = 50;

/** Sixty-four signals, so that one frame is some ten kilobytes of stream. */
const wide = `BO_ 256 Wide: 64 ECU
${Array.from({ length: signals }, (_, at) => ` SG_ Signal${at} : ${at * 8}|8@1+ (1,0) [0|0] "" ECU\n`).join('')}`;

describe('a client of samples that stops reading', () => {
  it('is told what it missed once history has gone past it, and then gets the rest', async () => {
    // Samples are counted from the start of a daemon.
    const bench = new SignalBench();
    onTestFinished(() => bench.dispose());
    await bench.start();
    await bench.openSegment();
    await bench.use('wide', wide);
    const { plan_id } = await bench.plan({ database: 'wide', message: 'Wide', history: kept });
    const [reader, stalled] = [await bench.stream(''), await bench.stream('')];
    let read = 0;
    reader.follow(() => {
      read += 1;
    });
    stalled.stall();

    const total = 3000;
    const frame = { id: 256, fd: true, brs: true, data: '5A'.repeat(64), count: 500 };
    for (let sent = 0; sent < total; sent += frame.count) await bench.transmit(frame);
    await bench.decoded(plan_id, total);
    await eventually(() => read > 0);

    let last = 0;
    const gaps: { from: number; oldest_available: number; missed: number | null }[] = [];
    const faults: string[] = [];
    let expected = 1;
    let delivered = 0;
    stalled.follow(({ event, id, data }) => {
      if (event === 'gap') {
        gaps.push({ from: last, ...data });
        if (id !== `${data.oldest_available - 1}`) faults.push(`gap with id ${id}`);
        expected = data.oldest_available;
        return;
      }
      if (data.sequence !== expected || id !== `${expected}`) {
        faults.push(`${data.sequence} instead of ${expected}`);
      }
      last = data.sequence;
      expected = last + 1;
      delivered += 1;
    });
    stalled.resume();
    await eventually(() => last === total * signals || faults.length > 0);
    expect(faults).toEqual([]);
    expect(gaps.length).toBeGreaterThan(0);
    // Every sample was either delivered or counted as missed.
    const missed = gaps.reduce((sum, gap) => sum + (gap.missed ?? Number.NaN), 0);
    expect(delivered + missed).toBe(total * signals);
    for (const gap of gaps) expect(gap.oldest_available - gap.from - 1).toBe(gap.missed);
  });
});
