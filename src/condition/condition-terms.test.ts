import { describe, expect, it } from 'vitest';
import { aSignal } from '../database/testing/a-signal.ts';
import { loadCodec } from '../e2e/testing/load-codec.ts';
import { busCode, eventKindCode, frameFlag } from '../frame/frm2-layout.ts';
import { aMessage, when } from '../signal/testing/models.ts';
import { channelKey } from '../trace/channel-key.ts';
import type { TraceEvent } from '../trace/testing/trace-events.ts';
import { traceDetail } from '../trace/trace-batch.ts';
import { databaseForConditions } from './condition-context.ts';
import { bareContext, firingsOf, runOf, storyOf } from './testing/story.ts';

const muxed = {
  ...aMessage([
    aSignal({ name: 'Mode', isSwitch: true }),
    aSignal({ name: 'Speed', startBit: 8, multiplexing: when('Mode', 1) }),
    aSignal({ name: 'Wide', startBit: 16, length: 60 }),
  ]),
  length: 10,
};
const database = databaseForConditions('engine', { format: 'dbc', messages: [muxed] });
const context = bareContext({ databases: [database], databasesOf: () => [database] });

const firings = (text: string, story: string, given = context): number[] =>
  firingsOf(runOf(text, given), storyOf(story));

/** A LIN event on channel 1 at 1 ms. */
const linEvent = (given: Partial<TraceEvent>): TraceEvent => ({
  ...{ timeNs: 1e6, channel: 1, kind: eventKindCode.rx_frame, bus: busCode.lin },
  ...{ id: 0x3c, flags: 0, dlc: 1, checksum: 0, data: [0] },
  ...given,
});

const firesAt = (text: string, event: TraceEvent): boolean =>
  firingsOf(runOf(text), [{ ms: 1, event }]).length > 0;

describe('The term', () => {
  it.each([
    ['an error frame', { bus: busCode.can, flags: frameFlag.error, id: 0x008 }, true, false],
    ['a bus-off', { bus: busCode.can, flags: frameFlag.error, id: 0x040 }, false, true],
    [
      'an error frame with bus-off',
      { bus: busCode.can, flags: frameFlag.error, id: 0x048 },
      true,
      true,
    ],
    [
      'a controller that is error active',
      { bus: busCode.can, flags: frameFlag.error, id: 0x004, data: [0, 0x40] },
      false,
      false,
    ],
    ['error counters', { bus: busCode.can, flags: frameFlag.error, id: 0x200 }, false, false],
    [
      'an error frame of unknown class',
      { bus: busCode.can, flags: frameFlag.error, id: 0 },
      true,
      false,
    ],
    ['a wrong checksum', { flags: frameFlag.checksumError }, true, false],
    ['a missing response', { flags: frameFlag.noResponse }, true, false],
    ['a sync error', { flags: frameFlag.error, detail: traceDetail.syncError }, true, false],
    ['a LIN error with the bits of bus-off', { flags: frameFlag.error, id: 0x040 }, true, false],
    ['a LIN frame', {}, false, false],
    ['a wake-up', { flags: frameFlag.wakeUp, id: 0 }, false, false],
    ['a lost device', { bus: busCode.can, detail: traceDetail.deviceLost }, false, false],
    ['a remote frame', { bus: busCode.can, flags: frameFlag.remote }, false, false],
  ] as const)('error, and bus_off, of %s', (_, given, isError, isBusOff) => {
    expect(firesAt('error', linEvent(given))).toBe(isError);
    expect(firesAt('bus_off', linEvent(given))).toBe(isBusOff);
  });

  it('frame takes frames alone: no error, wake-up or notice with such an identifier', () => {
    expect(firesAt('frame 03C', linEvent({}))).toBe(true);
    expect(firesAt('frame 03C', linEvent({ kind: eventKindCode.tx_complete }))).toBe(true);
    for (const flags of [frameFlag.error, frameFlag.wakeUp, frameFlag.noResponse]) {
      expect(firesAt('frame 03C', linEvent({ flags }))).toBe(false);
    }
    expect(firesAt('frame 03C', linEvent({ detail: traceDetail.deviceReturned }))).toBe(false);
    // A sleep command is a frame; a report of sleep without data is none.
    expect(firesAt('frame 03C', linEvent({ flags: frameFlag.sleep }))).toBe(true);
    expect(firesAt('frame 03C', linEvent({ flags: frameFlag.sleep, data: [] }))).toBe(false);
  });

  it('signal and change ignore frames without the signal', () => {
    // Frames of another multiplexed group, and frames that are too short.
    const story = '0 123#0110, 1 123#0220, 2 123#01, 3 123#0110, 4 123#0120, 5 124#0130';
    expect(firings('change Engine.Speed', story)).toEqual([4]);
    expect(firings('signal Engine.Speed > 15', story)).toEqual([0]);
    expect(firings('not signal Engine.Speed > 16', story)).toEqual([]);
  });

  it('change sees every bit of wide signals', () => {
    const story =
      '0 123#00000000000000000000, 1 123#000000000000000000F0, 2 123#000000000000000000E0';
    expect(firings('change Engine.Wide', story)).toEqual([]);
    const top =
      '0 123#00000000000000000000, 1 123#00000000000000000008, 2 123#00010000000000000008';
    expect(firings('change Engine.Wide', top)).toEqual([1]);
  });

  it.each([
    [
      'signal Engine.Speed > high',
      'expected a number at offset 22: Engine.Speed has no label high',
    ],
    ['change Engine.Sped', 'no signal Sped'],
  ])('signal says what is wrong with a comparison: %s', (text, message) => {
    expect(() => runOf(text, context)).toThrow(message);
  });

  it.each([
    // Each channel is watched on its own.
    ['change Engine.Speed', '0 123#0110, 1 2/123#0120, 2 123#0110, 3 2/123#0130', [3]],
    ['change Engine.Speed on 1', '0 123#0110, 1 2/123#0120, 2 123#0110, 3 2/123#0130', []],
    ['signal Engine.Speed = 1', '0 123#0101, 1 2/123#0101, 2 123#0102, 3 2/123#0102', [0]],
    ['not signal Engine.Speed = 1', '0 123#0101, 1 2/123#0101, 2 123#0102, 3 2/123#0102', [3]],
    ['silence 123 10ms', '0 123#, 5 2/123#, 8 123#, 30 wait', [15]],
    ['silence 123 10ms on 1', '0 123#, 5 2/123#, 8 123#, 30 wait', [18]],
    ['frame 123 on 2 within 5ms of error on 1', '0 error, 5 2/123#, 6 123#, 9 2/error', [5]],
  ])('%s with on, or without, at %s', (text, story, fired) => {
    expect(firings(text, story)).toEqual(fired);
  });

  it('within takes the whole window, and not a nanosecond more', () => {
    const pair = (at: string): number[] => firings('frame 001 within 5ms of frame 002', at);
    expect(pair('0 002#, 5 001#')).toEqual([5]);
    expect(pair('0 002#, 5.000001 001#')).toEqual([]);
    expect(pair('0 002#, 5 gap, 5 001#')).toEqual([]);
    const day = 'frame 001 within 24h of frame 002';
    expect(firings(day, '0 002#, 86400000 001#, 86400001 001#')).toEqual([86_400_000]);
  });

  it('silence ends at the nanosecond, and begins again after a frame', () => {
    const run = runOf('silence 123 10ms');
    const fired = firingsOf(run, storyOf('0 123#, 9.999999 wait'));
    expect([fired, run.holds(), run.nextDeadlineNs]).toEqual([[], false, 10e6]);
    expect(firingsOf(run, storyOf('10 wait'))).toEqual([10]);
    expect([run.holds(), run.nextDeadlineNs]).toEqual([true, Number.POSITIVE_INFINITY]);
    // A frame at the deadline comes too late: the silence was a fact before it.
    expect(firingsOf(run, storyOf('20 123#, 30 123#, 35 wait'))).toEqual([30]);
    expect(run.holds()).toBe(false);
  });

  it('silence of several channels and durations fires at each of its moments', () => {
    const text = 'silence 123 10ms or silence 123 20ms on 2 or error';
    expect(firings(text, '0 123#, 3 2/123#, 50 wait')).toEqual([10, 23]);
    // A later deadline is found when an earlier one is reached.
    expect(firings('silence 123 10ms', '0 123#, 1 123#, 9 123#, 11 124#, 18 wait')).toEqual([]);
    expect(firings('silence 123 10ms', '0 123#, 9 123#, 100 124#')).toEqual([19]);
  });

  it('e2e_error is what the check of the gateway says: wrong, repeated or out of sequence', () => {
    const codec = loadCodec(
      {
        profile: 'free',
        counter: { start_bit: 0, bit_length: 4, byte_order: 'intel', max: '14' },
        checksum: { start_bit: 8, bit_length: 8, byte_order: 'intel', algorithm: 'xor8' },
      },
      2,
    );
    const guarded = { channels: [1], id: 0x123, extended: false, start: 1, length: 2, codec };
    const given = bareContext({
      protectedMessage: (instance, message) =>
        `${instance}/${message}` === 'cabin/Wheels' ? guarded : 'no such message',
    });
    const errors = (story: string): number[] => firings('e2e_error cabin/Wheels', story, given);
    expect(errors('0 123#000101, 1 123#000202, 2 2/123#000202, 3 124#000202')).toEqual([]);
    expect(errors('0 123#000101, 1 123#000101, 2 123#0002FF')).toEqual([1, 2]);
    // Too short; a remote frame has no data; after a gap nothing is known.
    expect(errors('0 123#000101, 1 123#0002')).toEqual([1]);
    expect(errors('0 123#000101, 1 gap, 2 123#000505')).toEqual([]);
    expect(() => runOf('e2e_error cabin/Doors', given)).toThrow('no such message');
  });

  it.each([
    ['pdu', [0, 5, 12]],
    ['pdu isotp', [0, 5, 12]],
    ['pdu isotp id 7E8', [5, 12]],
    ['pdu nrc 22', [5]],
    ['pdu nrc 31', []],
    ['pdu data 62F1??57', [12]],
    ['pdu isotp status lost', []],
    ['pdu j1939', []],
    ['pdu isotp id 7E8 within 5ms of frame 7E0', [5, 10, 12]],
  ])('%s is of whole payloads, where they end', (text, fired) => {
    const story = [
      '0 7E0#0322F190, 5 7E8#037F2222, 9 7E8#100A62F190574241',
      '10 7E0#300000, 12 7E8#2142555342',
    ];
    expect(firings(text, story.join(', '))).toEqual(fired);
  });

  it('pdu knows nothing of what began before a gap', () => {
    const story = '9 7E8#100A62F190574241, 10 7E0#300000, 11 gap, 12 7E8#2142555342';
    expect(firings('pdu', story)).toEqual([]);
  });

  it('signal of a LIN database is looked up on LIN channels alone', () => {
    const lin = databaseForConditions('lin', {
      format: 'ldf',
      messages: [{ ...aMessage([aSignal()]), name: 'Door', id: 0x3c }],
    });
    const given = bareContext({ databases: [lin], databasesOf: () => [lin] });
    const run = runOf('signal Door.Speed = 7', given);
    const onCan = linEvent({ bus: busCode.can, data: [7] });
    expect(firingsOf(run, [{ ms: 1, event: onCan }])).toEqual([]);
    expect(firingsOf(run, [{ ms: 1, event: linEvent({ data: [7] }) }])).toEqual([1]);
    expect(channelKey(1, busCode.lin)).not.toBe(channelKey(1, busCode.can));
  });
});
