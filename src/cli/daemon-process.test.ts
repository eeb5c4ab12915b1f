import { describe, expect, it } from 'vitest';
import { FakeClock } from '../base/clock/testing/fake-clock.ts';
import type { OutputFormat } from '../operations/global-options.ts';
import { StartNotice } from './daemon-process.ts';

const second = 1_000_000;

const setUp = (format: OutputFormat = 'text') => {
  const clock = new FakeClock();
  const lines: string[] = [];
  const stderr = {
    isTerminal: false,
    columns: undefined,
    isAbandoned: false,
    write: (text: string | Uint8Array) => void lines.push(String(text)),
  };
  return { clock, lines, notice: new StartNotice({ clock, stderr, format }) };
};

describe('the notice of a start', () => {
  it('says nothing about one that is over soon', () => {
    const { clock, lines, notice } = setUp();
    clock.advanceUs(4 * second);
    notice.end();
    clock.advanceUs(100 * second);
    expect(lines).toEqual([]);
    expect(clock.pendingTimers).toBe(0);
  });

  it('says now and then what a slow one is at', () => {
    const { clock, lines, notice } = setUp();
    clock.advanceUs(5 * second);
    notice.stage = 'loading its client thread';
    clock.advanceUs(20 * second);
    expect(lines).toEqual([
      'The daemon is still starting after 5 s: loading its program\n',
      'The daemon is still starting after 15 s: loading its client thread\n',
      'The daemon is still starting after 25 s: loading its client thread\n',
    ]);
  });

  it.each(['json', 'jsonl', 'csv'] as const)('leaves programs that read %s alone', (format) => {
    const { clock, lines } = setUp(format);
    clock.advanceUs(100 * second);
    expect(lines).toEqual([]);
  });
});
