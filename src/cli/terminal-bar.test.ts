import { describe, expect, it } from 'vitest';
import { FakeClock } from '../base/clock/testing/fake-clock.ts';
import { ProgressBar, progressLine } from './terminal-bar.ts';
import { Paper } from './testing/paper.ts';

const wipe = '\r\u001b[K';

describe('progressLine', () => {
  it.each([
    [0, 80, `[${' '.repeat(40)}]    0%     0/2000`],
    [1000, 80, `[${'='.repeat(20)}${' '.repeat(20)}]   50%  1000/2000`],
    [2000, 80, `[${'='.repeat(40)}]  100%  2000/2000`],
    [1000, 31, `[${'='.repeat(5)}${' '.repeat(6)}]   50%  1000/2000`],
    [1000, 20, ' 50%  1000/2000'],
    [1999, 10, ' 99%'],
    [1000, 3, ''],
  ])('shows %i of 2000 in %i columns', (done, columns, line) => {
    expect(progressLine(done, 2000, columns)).toBe(line);
  });

  it('never fills the last column', () => {
    for (let columns = 0; columns < 100; columns++) {
      const line = progressLine(7, 12, columns);
      expect(line.length).toBeLessThanOrEqual(Math.max(0, columns - 1));
    }
  });
});

describe('ProgressBar', () => {
  const bench = () => {
    const output = new Paper();
    const clock = new FakeClock();
    const terminal = { columns: 20 };
    const bar = new ProgressBar({ output, clock, columns: () => terminal.columns });
    return { output, clock, bar, terminal };
  };

  it('draws over what it drew before, as wide as the terminal is now', () => {
    const { output, clock, bar, terminal } = bench();
    bar.show(0, 10);
    clock.advanceUs(50_000);
    terminal.columns = 10;
    bar.show(5, 10);
    expect(output.writes).toEqual([`${wipe}  0%   0/10`, `${wipe} 50%`]);
  });

  it('draws no more often than the eye can see', () => {
    const { output, clock, bar } = bench();
    for (let done = 0; done < 1000; done++) {
      bar.show(done, 1000);
      clock.advanceUs(1000);
    }
    expect(output.writes).toHaveLength(20);
  });

  it('leaves the line empty at its end, and untouched where it drew nothing', () => {
    const { output, bar } = bench();
    bar.clear();
    expect(output.writes).toEqual([]);
    bar.show(1, 2);
    bar.clear();
    bar.clear();
    expect(output.writes.slice(1)).toEqual([wipe]);
  });
});
