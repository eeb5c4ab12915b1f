import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Clock, Timer } from '../base/clock/clock.ts';
import { traceConvert, traceInfo } from '../operations/trace.ts';
import { CliBench } from './testing/cli-bench.ts';

const wipe = '\r\u001b[K';
const line = '(1767225600.000100) can0 123#0011AABB\n';
/** More than one batch of events. */
const lines = 10_000;

/** Every look at it takes a second, and whoever waits is served in the next turn. */
class HastyClock implements Clock {
  onTurn: () => void = () => undefined;
  #nowUs = 0;

  monotonicUs(): number {
    this.#nowUs += 1_000_000;
    return this.#nowUs;
  }

  unixUs(): number {
    return this.#nowUs;
  }

  after(_delayMs: number, callback: () => void): Timer {
    this.onTurn();
    const timer = setImmediate(callback);
    return { cancel: () => clearImmediate(timer) };
  }
}

describe('the trace commands', () => {
  let bench: CliBench;
  let clock: HastyClock;

  beforeEach(() => {
    bench = new CliBench([traceInfo, traceConvert]);
    clock = new HastyClock();
    bench.clock = clock;
    writeFileSync(join(bench.folder, 'a.log'), line.repeat(lines));
  });
  afterEach(() => bench.close());

  const files = (): string[] => readdirSync(bench.folder).filter((name) => name !== 'home');

  it.each([
    ['trace', 'info', 'a.log'],
    ['trace', 'convert', 'a.log', 'b.asc'],
  ])(
    'draw on a terminal how much of the file is read, and wipe it away: %s %s',
    async (...argv) => {
      bench.stderr.isTerminal = true;
      expect(await bench.run(...argv)).toBe(0);
      const total = line.length * lines;
      const { writes } = bench.stderr;
      expect(writes.at(-1)).toBe(wipe);
      expect(writes.at(-2)).toContain(`100%  ${total}/${total}`);
      expect(writes).toHaveLength(4);
    },
  );

  it('draw nothing elsewhere', async () => {
    expect(await bench.run('trace', 'info', 'a.log')).toBe(0);
    bench.stderr.isTerminal = true;
    expect(await bench.run('trace', 'info', 'a.log', '--format=json')).toBe(0);
    expect(bench.stderr.text).toBe('');
  });

  it('give a conversion up when they are interrupted, at any turn, and leave nothing', async () => {
    for (const moment of [1, 2, 3, 4]) {
      let turns = 0;
      clock.onTurn = () => {
        turns++;
        if (turns === moment) process.emit('SIGINT');
      };
      expect(await bench.run('trace', 'convert', 'a.log', 'b.asc')).toBe(1);
      expect(turns).toBe(moment);
      expect(files()).toEqual(['a.log']);
    }
    expect(bench.stderr.text).toContain('operation_cancelled');
    expect(process.listenerCount('SIGINT')).toBe(0);
  });

  it('do not replace a file that came while they were at it, unless they may', async () => {
    const output = join(bench.folder, 'b.asc');
    clock.onTurn = () => {
      if (!existsSync(output)) writeFileSync(output, 'somebody else’s');
    };
    expect(await bench.run('trace', 'convert', 'a.log', 'b.asc')).toBe(1);
    expect(bench.stderr.text).toContain('already_exists');
    expect(readFileSync(output, 'utf8')).toBe('somebody else’s');
    expect(files()).toEqual(['a.log', 'b.asc']);
    expect(await bench.run('trace', 'convert', 'a.log', 'b.asc', '--overwrite')).toBe(0);
    expect(readFileSync(output, 'utf8')).toMatch(/^date /);
    expect(files()).toEqual(['a.log', 'b.asc']);
  });
});
