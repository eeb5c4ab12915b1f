import { describe, expect, it } from 'vitest';
import { durationText, isUnderWay } from './job-facts.ts';

describe('a job', () => {
  it('can be cancelled until it has ended', () => {
    const states = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;
    expect(states.filter((state) => isUnderWay({ state }))).toEqual(['queued', 'running']);
  });

  it('has a duration at its end', () => {
    expect(durationText({ started_at_us: 0, finished_at_us: 2000 })).toBe('2.00 ms');
    expect(durationText({ started_at_us: 5, finished_at_us: null })).toBe('');
    expect(durationText({ started_at_us: null, finished_at_us: 5 })).toBe('');
  });
});
