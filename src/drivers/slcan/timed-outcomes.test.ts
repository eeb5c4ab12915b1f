import { beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { Scheduler } from '../../base/schedule/scheduler.ts';
import { FakeAlarm } from '../../base/schedule/testing/fake-alarm.ts';
import { SlcanTransmitter, TimedOutcomes } from './slcan-transmitter.ts';

const pace = { bitrate: 500_000, characterUs: 0 };
const data = Uint8Array.of(0xaa, 0xbb);
const frameBytes = 't0012AABB\r'.length;

/** A line that holds back selected input. */
class HoldingLine {
  bufferedBytes = 0;
  holds = 0;

  write(): void {
    this.bufferedBytes = this.holds;
  }
}

describe('frames to a device that answers nothing', () => {
  let clock: FakeClock;
  let line: HoldingLine;
  let transmitter: SlcanTransmitter;
  let outcomes: TimedOutcomes;
  let sent: number[];
  let timesStuck: number;

  beforeEach(() => {
    clock = new FakeClock();
    const scheduler = new Scheduler({
      clock,
      alarm: new FakeAlarm(clock),
      onError: (error) => {
        throw error;
      },
    });
    line = new HoldingLine();
    transmitter = new SlcanTransmitter();
    sent = [];
    timesStuck = 0;
    outcomes = new TimedOutcomes({
      scheduler,
      transmitter,
      complete: () => sent.push(transmitter.take().id),
      onSettled: () => undefined,
      onStuck: () => {
        timesStuck += 1;
      },
    });
  });

  const write = (...ids: number[]) => {
    for (const id of ids) transmitter.push(id, 0, 2, data, 0, 2);
    transmitter.flush(line, false, pace, clock.monotonicUs());
    outcomes.wrote(line, clock.monotonicUs());
  };

  it('are sent once their bits had their time', () => {
    write(1, 2);
    expect(sent).toEqual([]);
    clock.advanceUs(1_000);
    expect(sent).toEqual([1, 2]);
  });

  it('are not sent before their bytes have left', () => {
    line.holds = 2 * frameBytes;
    write(1, 2, 3);
    clock.advanceUs(1_000_000);
    expect(sent).toEqual([1]);
    line.bufferedBytes = 0;
    outcomes.drained(clock.monotonicUs());
    expect(sent).toEqual([1]);
    clock.advanceUs(1_000);
    expect(sent).toEqual([1, 2, 3]);
  });

  it('have a line that is stuck where no byte leaves for long, and not where some do', () => {
    line.holds = 2 * frameBytes;
    write(1, 2, 3);
    clock.advanceUs(9_000_000);
    line.bufferedBytes = frameBytes;
    clock.advanceUs(9_000_000);
    expect([timesStuck, sent]).toEqual([0, [1, 2]]);
    clock.advanceUs(20_000_000);
    expect([timesStuck, sent]).toEqual([1, [1, 2]]);
  });

  it('have no outcome any more once it is stopped', () => {
    write(1);
    outcomes.stop();
    outcomes.drained(clock.monotonicUs());
    clock.advanceUs(20_000_000);
    expect([timesStuck, sent]).toEqual([0, []]);
  });
});
