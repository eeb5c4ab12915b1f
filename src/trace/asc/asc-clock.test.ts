import { describe, expect, it } from 'vitest';
import { AscClock } from './asc-reader.ts';

const timesOf = (clock: AscClock, reported: readonly number[]): number[] =>
  reported.map((ns) => clock.at(ns));

describe('the clock of an ASC file', () => {
  it('takes absolute times as they are', () => {
    expect(timesOf(new AscClock(), [0, 5, 7, 7])).toEqual([0, 5, 7, 7]);
  });

  it('adds relative times up', () => {
    const clock = new AscClock();
    clock.isRelative = true;
    expect(timesOf(clock, [3, 0, 4])).toEqual([3, 3, 7]);
  });

  it('lets times go on through blocks that go on', () => {
    const clock = new AscClock();
    timesOf(clock, [0, 10]);
    clock.beginBlock(500);
    expect(timesOf(clock, [20, 30])).toEqual([20, 30]);
  });

  it('puts blocks that begin anew where their dates say', () => {
    const clock = new AscClock();
    timesOf(clock, [0, 10]);
    clock.beginBlock(500);
    expect(timesOf(clock, [0, 3])).toEqual([500, 503]);
    clock.beginBlock(900);
    expect(timesOf(clock, [5, 6])).toEqual([905, 906]);
  });

  it('never lets blocks overlap, whatever their dates say', () => {
    const clock = new AscClock();
    timesOf(clock, [0, 10]);
    clock.beginBlock(4);
    expect(timesOf(clock, [1, 2])).toEqual([10, 11]);
  });

  it('goes on in relative times from the date of a block, but never back', () => {
    const clock = new AscClock();
    clock.isRelative = true;
    timesOf(clock, [10]);
    clock.beginBlock(500);
    expect(timesOf(clock, [0, 3])).toEqual([500, 503]);
    clock.beginBlock(20);
    expect(timesOf(clock, [1])).toEqual([504]);
  });
});
