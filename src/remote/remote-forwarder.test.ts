import { describe, expect, it } from 'vitest';
import { datagramOf, ForwardRig, wireFrame } from './testing/forward-rig.ts';

const maxAgeUs = 100_000;

const deliver = (rig: ForwardRig, count: number, id = 1): void => {
  for (let sequence = 0; sequence < count; sequence++) {
    rig.socket.deliver(datagramOf(sequence, [wireFrame(id)]));
  }
};

/** One turn of the event loop: timers first, then datagrams and the alarm. */
const turn = (rig: ForwardRig, datagrams = 0): void => {
  rig.clock.advanceUs(0);
  deliver(rig, datagrams);
  rig.scheduler.runDue();
};

describe('datagrams that waited while the process was stopped', () => {
  it('expire where that took longer than frames may wait', () => {
    const rig = new ForwardRig({ maxAgeUs, channelCount: 2 });
    rig.clock.advanceUs(1_000_000);
    rig.clock.halt(maxAgeUs + 1);
    deliver(rig, 50);
    expect(rig.channel().sent).toEqual([]);
    expect(rig.record.channels).toMatchObject([
      { sent: 0, expired: 50, queued: 0 },
      { sent: 0, expired: 50, queued: 0 },
    ]);
    expect(rig.peer()).toMatchObject({ datagrams_received: 50, frames_received: 50 });
  });

  it('expire as well where the timers of the process run before they are read', () => {
    const rig = new ForwardRig({ maxAgeUs });
    rig.clock.halt(2 * maxAgeUs);
    rig.scheduler.runDue();
    deliver(rig, 50);
    expect(rig.line()).toMatchObject({ sent: 0, expired: 50 });
  });

  it('expire until the socket was found empty, and what comes afterwards is sent', () => {
    const rig = new ForwardRig({ maxAgeUs });
    rig.clock.halt(2 * maxAgeUs);
    deliver(rig, 33);
    turn(rig, 17);
    turn(rig);
    deliver(rig, 1, 0x77);
    expect(rig.channel().sent).toEqual(['77/0/0#']);
    expect(rig.line()).toMatchObject({ sent: 1, expired: 50 });
  });

  it('expire poll by poll while there may be more of them', () => {
    const rig = new ForwardRig({ maxAgeUs });
    rig.clock.halt(2 * maxAgeUs);
    for (let poll = 0; poll < 5; poll++) turn(rig, 33);
    turn(rig, 5);
    expect(rig.line()).toMatchObject({ sent: 0, expired: 170 });
    turn(rig);
    deliver(rig, 1);
    expect(rig.line()).toMatchObject({ sent: 1, expired: 170 });
  });

  it('expire as well where it was stopped while it looked whether there are any', () => {
    const rig = new ForwardRig({ maxAgeUs });
    rig.clock.halt(2 * maxAgeUs);
    turn(rig);
    turn(rig);
    rig.clock.halt(2 * maxAgeUs);
    turn(rig, 20);
    expect(rig.line()).toMatchObject({ sent: 0, expired: 20 });
  });

  it('are sent where that was short enough, or where there is no limit', () => {
    const short = new ForwardRig({ maxAgeUs });
    short.clock.advanceUs(1_000_000);
    short.clock.halt(maxAgeUs / 2);
    deliver(short, 50);
    expect(short.line()).toMatchObject({ sent: 50, expired: 0 });
    const unlimited = new ForwardRig();
    unlimited.clock.halt(3_600_000_000);
    deliver(unlimited, 50);
    expect(unlimited.line()).toMatchObject({ sent: 50, expired: 0 });
    expect(unlimited.scheduler.scheduledTasks).toBe(0);
  });

  it('leave frames alone that were waiting before, which expire in their own time', () => {
    const rig = new ForwardRig({ maxAgeUs });
    rig.channel().room = 0;
    deliver(rig, 3);
    rig.clock.halt(2 * maxAgeUs);
    deliver(rig, 2);
    expect(rig.line()).toMatchObject({ sent: 0, expired: 5, queued: 0 });
  });

  it.each([1000, 5000, 20_000, 3_600_000_000])(
    'are none while the process runs, with a limit of %d us',
    (limitUs) => {
      const rig = new ForwardRig({ maxAgeUs: limitUs });
      for (let step = 0; step < 500; step++) {
        rig.clock.advanceUs(997);
        deliver(rig, 1);
      }
      expect(rig.line()).toMatchObject({ sent: 500, expired: 0 });
    },
  );

  it('are not looked for once forwarding has ended', () => {
    const rig = new ForwardRig({ maxAgeUs });
    rig.clock.halt(2 * maxAgeUs);
    deliver(rig, 1);
    rig.forwarder.close();
    expect(rig.scheduler.scheduledTasks).toBe(0);
    rig.clock.advanceUs(1_000_000);
    expect(rig.scheduler.scheduledTasks).toBe(0);
  });
});
