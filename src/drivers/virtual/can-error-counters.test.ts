import { describe, expect, it } from 'vitest';
import { CanErrorCounters, severity } from './can-error-counters.ts';

const times = (count: number, action: () => void): void => {
  for (let i = 0; i < count; i++) action();
};

describe('CanErrorCounters', () => {
  it.each([
    [11, severity.active],
    [12, severity.warning],
    [15, severity.warning],
    [16, severity.passive],
    [31, severity.passive],
    [32, severity.busOff],
    [40, severity.busOff],
  ])('stands after %d failed transmissions at severity %d', (failures, expected) => {
    const counters = new CanErrorCounters();
    times(failures, () => counters.transmitFailed());
    expect(counters.severity).toBe(expected);
    expect(counters.transmit).toBe(Math.min(failures * 8, 256));
  });

  it.each([
    [95, severity.active],
    [96, severity.warning],
    [127, severity.warning],
    [128, severity.passive],
    [1000, severity.passive],
  ])('stands after %d failed receptions at severity %d', (failures, expected) => {
    const counters = new CanErrorCounters();
    times(failures, () => counters.receiveFailed());
    expect(counters.severity).toBe(expected);
    expect(counters.isPassive).toBe(expected === severity.passive);
    expect(counters.receive).toBe(Math.min(failures, 255));
  });

  it('forgives one count with each frame that goes well, and never falls below zero', () => {
    const counters = new CanErrorCounters();
    counters.transmitFailed();
    counters.receiveFailed();
    times(3, () => counters.transmitted());
    times(3, () => counters.received());
    expect([counters.transmit, counters.receive]).toEqual([5, 0]);
    times(10, () => counters.transmitted());
    expect(counters.transmit).toBe(0);
  });

  it('makes a passive receiver active again with the first good frame', () => {
    const counters = new CanErrorCounters();
    times(200, () => counters.receiveFailed());
    counters.received();
    expect([counters.receive, counters.isPassive]).toEqual([127, false]);
  });
});
