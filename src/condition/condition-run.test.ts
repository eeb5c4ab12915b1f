import { describe, expect, it } from 'vitest';
import { aSignal } from '../database/testing/a-signal.ts';
import { aMessage } from '../signal/testing/models.ts';
import { batchOf } from '../trace/testing/trace-events.ts';
import { databaseForConditions } from './condition-context.ts';
import { bareContext, firingsOf, frameEvent, runOf, storyOf } from './testing/story.ts';

const engine = aMessage([
  aSignal({ name: 'Speed', length: 16, factor: '0.25' }),
  aSignal({
    name: 'Gear',
    startBit: 16,
    values: [
      { raw: 0n, text: 'Park' },
      { raw: 1n, text: 'in gear' },
    ],
  }),
]);
const database = databaseForConditions('engine', { format: 'dbc', messages: [engine] });
const context = bareContext({ databases: [database], databasesOf: () => [database] });

const firings = (text: string, story: string): number[] =>
  firingsOf(runOf(text, context), storyOf(story));

describe('A condition fires', () => {
  it.each([
    ['frame 123', '0 123#, 5 124#, 9 00000123#, 10 123#01', [0, 10]],
    ['frame 123:7F0', '0 123#, 5 12F#, 9 130#', [0, 5]],
    ['frame 100-1FF data ?1FF', '0 123#01FF00, 5 123#01, 9 1FF#B1FF, 10 200#01FF', [0, 9]],
    ['frame 18FEF100:1FFFFF00', '0 18FEF117#, 5 18FEF217#', [0]],
    ['frame 123 on 2', '0 123#, 5 2/123#', [5]],
    ['error', '0 error, 5 bus_off, 6 123#', [0]],
    ['bus_off', '0 error, 5 2/bus_off', [5]],
    ['bus_off on 1', '0 error, 5 2/bus_off', []],
    [
      'signal Engine.Speed > 10',
      '0 123#2800, 5 123#2900, 6 123#3000, 7 123#0000, 8 123#FF00',
      [5, 8],
    ],
    ['signal Engine.Gear = "in gear"', '0 123#000001, 5 123#000000, 9 123#000001', [0, 9]],
    ['signal Engine.Gear != Park', '0 124#, 5 123#000000, 9 123#000001', [9]],
    ['not signal Engine.Gear = Park', '0 123#000001, 5 123#000000, 9 123#000002', [9]],
    ['signal Engine.Speed > 10', '0 123#FFFF, 5 2/123#FFFF, 6 123#0000, 7 123#FFFF', [0]],
    ['signal Engine.Speed > 10 on 2', '0 123#FFFF, 5 2/123#FFFF', [5]],
    ['change Engine.Gear', '0 123#000001, 5 123#FF0001, 6 123#000000, 7 2/123#000005', [6]],
    ['silence 123 100ms', '0 wait, 200 124#, 300 123#, 350 123#, 600 123#, 800 wait', [450, 700]],
    ['silence 123 100ms', '0 123#, 100 123#, 199 123#, 250 wait', [100]],
    ['silence 100-1FF 100ms', '0 123#, 80 1FF#, 170 100#, 300 wait', [270]],
    [
      'frame 123 and signal Engine.Speed > 10',
      '0 123#0000, 5 123#FF00, 6 124#, 7 123#FF00',
      [5, 7],
    ],
    ['frame 124 and not silence 123 1s', '0 124#, 1 123#, 5 124#, 1001 wait, 1002 124#', [0, 5]],
    ['signal Engine.Gear = 1 and signal Engine.Speed > 1', '0 123#000001, 5 123#FF0001', [5]],
    ['frame 124 or signal Engine.Speed > 10', '0 124#, 5 123#FF00, 6 123#FF00, 7 124#', [0, 5, 7]],
    [
      'frame 001 within 50ms of frame 002',
      '0 001#, 50 002#, 60 001#, 111 001#, 112 002#',
      [50, 60, 112],
    ],
    ['frame 123 within 5ms of frame 123', '0 123#, 50 123#', [0, 50]],
    [
      'signal Engine.Speed > 10 within 5ms of error',
      '0 error, 4 123#FF00, 6 error, 8 123#FF00',
      [4, 6],
    ],
  ])('as it says: %s at %s', (text, story, fired) => {
    expect(firings(text, story)).toEqual(fired);
  });

  it.each([
    ['signal Engine.Speed > 10', '0 123#FF00, 5 gap, 6 123#FF00', [0, 6]],
    ['not signal Engine.Speed > 10', '0 123#FF00, 5 gap, 6 123#0000, 7 123#FF00, 8 123#0000', [8]],
    ['change Engine.Gear', '0 123#000001, 5 gap, 6 123#000000, 7 123#000001', [7]],
    ['silence 123 100ms', '0 123#, 5 gap, 500 wait, 600 123#, 800 wait', [700]],
    ['frame 123 within 50ms of error', '0 error, 5 gap, 6 123#', []],
    ['frame 123 and signal Engine.Speed > 10', '0 123#FF00, 5 gap, 6 123#FF00', [0, 6]],
  ])('only on what was seen after a gap: %s at %s', (text, story, fired) => {
    expect(firings(text, story)).toEqual(fired);
  });

  it('on time that goes back as after a gap, but not on events that are slightly late', () => {
    expect(firings('silence 123 1s', '5000 123#, 100 124#, 6500 wait')).toEqual([]);
    expect(firings('silence 123 1s', '5000 123#, 4900 124#, 6500 wait')).toEqual([6000]);
  });

  it('between events, which the next event reports', () => {
    const run = runOf('silence 123 100ms');
    const batch = batchOf([frameEvent(0, 1, '123', ''), frameEvent(500, 1, '123', '')]);
    expect(run.row(batch, 0)).toBe(false);
    expect(run.nextDeadlineNs).toBe(100e6);
    expect(run.row(batch, 1)).toBe(true);
    expect(run.firedAtNs()).toBe(100e6);
    expect(run.holds()).toBe(false);
    expect(run.selects()).toBe(false);
  });
});

describe('A run of conditions', () => {
  it('says which of them fired, and which hold', () => {
    const run = runOf(['frame 123', 'signal Engine.Speed > 10', 'silence 123 1s'], context);
    const batch = batchOf([frameEvent(0, 1, '123', 'FF00'), frameEvent(5000, 1, '124', '')]);
    run.row(batch, 0);
    expect([0, 1, 2].map((index) => run.fired(index))).toEqual([true, true, false]);
    expect([0, 1, 2].map((index) => run.selects(index))).toEqual([true, true, false]);
    run.row(batch, 1);
    expect([0, 1, 2].map((index) => run.fired(index))).toEqual([false, false, true]);
    expect([0, 1, 2].map((index) => run.selects(index))).toEqual([false, true, true]);
  });

  it('names the channels that no event had', () => {
    const run = runOf(['frame 123 on 2 or error on 3', 'frame 124 on 1']);
    run.row(batchOf([frameEvent(0, 1, '123', '')]), 0);
    expect(run.unmetChannels).toEqual(['2', '3']);
  });
});
