import { describe, expect, it } from 'vitest';
import type { GapEvent } from '../../../src/frame/event-record.ts';
import { gapLines, noGaps, withGap } from './gap-log.ts';

const aGap = (missed: number | null): GapEvent => ({
  oldest_available: 101,
  newest_available: 200,
  missed,
});
const at = { lastSequence: 60, isFirst: true, time: '12:00:00' };

describe('withGap', () => {
  it('says what the service has counted', () => {
    expect(gapLines(withGap(noGaps, aGap(1), at))).toEqual([
      '12:00:00 Missed 1 sample, before sample 101.',
    ]);
  });

  it('bounds what was lost between two connections by the sequence', () => {
    expect(gapLines(withGap(noGaps, aGap(null), at))).toEqual([
      '12:00:00 Missed up to 40 samples, before sample 101.',
    ]);
  });

  it('does not bound what was lost before it had a sequence', () => {
    expect(gapLines(withGap(noGaps, aGap(null), { ...at, isFirst: false }))[0]).toContain(
      'an unknown number of samples (frames were lost before decoding)',
    );
  });

  it('does not count across a sequence that restarted', () => {
    expect(gapLines(withGap(noGaps, aGap(null), { ...at, lastSequence: 5000 }))[0]).toContain(
      'an unknown number of samples (the sequence restarted)',
    );
  });

  it('sums up several gaps and shows the latest ones', () => {
    let log = noGaps;
    for (let minute = 1; minute <= 4; minute++) {
      log = withGap(log, aGap(minute === 2 ? null : minute), { ...at, time: `12:0${minute}` });
    }
    log = withGap(log, aGap(null), { ...at, isFirst: false, time: '12:05' });
    const lines = gapLines(log);
    expect(lines[0]).toBe(
      '5 gaps, up to 48 samples and an unknown number missed in total; the latest 3:',
    );
    expect(lines.slice(1).map((line) => line.slice(0, 5))).toEqual(['12:05', '12:04', '12:03']);
  });

  it('says nothing without gaps', () => {
    expect(gapLines(noGaps)).toEqual([]);
  });
});
