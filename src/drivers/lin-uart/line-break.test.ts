import { beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { Scheduler } from '../../base/schedule/scheduler.ts';
import { FakeAlarm } from '../../base/schedule/testing/fake-alarm.ts';
import type { SerialPort } from '../../base/serial/serial-port.ts';
import { LinLineTiming } from './lin-line-timing.ts';
import type { BreakMethod } from './lin-uart-address.ts';
import { LineBreak } from './line-break.ts';

/** A bit takes 100 microseconds. */
const bitrate = 10_000;
const timing = new LinLineTiming(bitrate, 0);

describe('a break on a serial port', () => {
  let clock: FakeClock;
  let did: string[];
  /** Pending responses of the port. */
  let answers: ((failure?: string) => void)[];
  beforeEach(() => {
    clock = new FakeClock();
    did = [];
    answers = [];
  });

  const note = (what: string): void => void did.push(`${clock.monotonicUs()} ${what}`);
  const answer = (failure?: string): void => answers.shift()?.(failure);

  const lineBreak = (method: BreakMethod, isPseudoTerminal = false): LineBreak => {
    const port: SerialPort = {
      peer: 'port',
      bufferedBytes: 0,
      isPseudoTerminal,
      write: (bytes) => note(`write ${[...bytes]}`),
      pause: () => undefined,
      resume: () => undefined,
      close: () => undefined,
      setBreak(isOn, done) {
        note(isOn ? 'low' : 'high');
        answers.push((failure) => done(failure));
      },
      setBaudRate(baudRate, done) {
        note(`baud ${baudRate}`);
        answers.push((failure) => done(failure));
      },
    };
    const scheduler = new Scheduler({
      clock,
      alarm: new FakeAlarm(clock),
      onError: (error) => {
        throw error;
      },
    });
    return new LineBreak({
      clock,
      scheduler,
      port,
      method,
      bitrate: () => bitrate,
      onSent: () => note('sent'),
      onFailed: () => note('failed'),
    });
  };

  it('is at least thirteen bits of a line held low, and one of delimiter', () => {
    lineBreak('hold').send(timing);
    clock.advanceUs(50);
    answer();
    clock.advanceUs(1399);
    expect(did).toEqual(['0 low']);
    clock.advanceUs(1);
    expect(did).toEqual(['0 low', '1450 high']);
    clock.advanceUs(30);
    answer();
    clock.advanceUs(500);
    expect(did).toEqual(['0 low', '1450 high', '1680 sent']);
  });

  it('is a zero at a lower rate, and goes on when that has left', () => {
    lineBreak('baud').send(timing);
    answer();
    expect(did).toEqual(['0 baud 6428', '0 write 0', '0 baud 10000']);
    // Nine low bits at that rate are as long as a break.
    expect((9 * 1e6) / 6428).toBeGreaterThanOrEqual(13 * 100);
    clock.advanceUs(1600);
    answer();
    clock.advanceUs(500);
    expect(did.slice(3)).toEqual(['1800 sent']);
  });

  it('is a zero at a lower rate where the port cannot hold its line, from then on', () => {
    const made = lineBreak('hold');
    made.send(timing);
    answer('ENOTTY');
    answer();
    answer();
    clock.advanceUs(500);
    expect(did.slice(1)).toEqual(['0 baud 6428', '0 write 0', '0 baud 10000', '200 sent']);
    did.length = 0;
    made.send(timing);
    expect(did).toEqual(['500 baud 6428']);
  });

  it.each([
    ['the lower rate', 0],
    ['the rate after it', 1],
  ])('fails where %s is refused', (_, index) => {
    lineBreak('baud').send(timing);
    for (let i = 0; i < index; i++) answer();
    answer('EINVAL');
    clock.advanceUs(10_000);
    expect(did.at(-1)).toBe('0 failed');
  });

  it('is a mark among the bytes of a pseudo terminal', () => {
    lineBreak('hold', true).send(timing);
    expect(did).toEqual(['0 write 255,0,0', '0 sent']);
  });

  it('leaves the port at its own rate when it is stopped', () => {
    const made = lineBreak('baud');
    made.send(timing);
    made.stop();
    answer();
    answer();
    clock.advanceUs(10_000);
    expect(did).toEqual(['0 baud 6428', '0 baud 10000']);
  });

  it('leaves the line high when it is stopped, and is not told any more', () => {
    const made = lineBreak('hold');
    made.send(timing);
    answer();
    clock.advanceUs(100);
    made.stop();
    answer();
    clock.advanceUs(10_000);
    expect(did).toEqual(['0 low', '100 high']);
  });
});
