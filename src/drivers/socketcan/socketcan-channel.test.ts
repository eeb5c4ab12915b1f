import { constants } from 'node:os';
import { beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { Scheduler } from '../../base/schedule/scheduler.ts';
import { FakeAlarm } from '../../base/schedule/testing/fake-alarm.ts';
import { PortReporter } from '../port-reporter.ts';
import { RecordingSink } from '../testing/recording-sink.ts';
import { BcmJobs } from './bcm-jobs.ts';
import type { CanInterface } from './can-interfaces.ts';
import { CanPort } from './can-port.ts';
import { SocketCanChannel } from './socketcan-channel.ts';
import { FakeCanCalls } from './testing/fake-can-calls.ts';
import { exampleInterface, FakeInterfaces } from './testing/fake-interfaces.ts';

const noBytes = new Uint8Array(8);
const job = { id: 1, flags: 0, dlc: 0, data: new Uint8Array(), periodUs: 1000, count: 0 };
const change = { group: 'bitrate', bitrate: 125_000 } as const;

describe('a channel of the kernel', () => {
  let calls: FakeCanCalls;
  let clock: FakeClock;
  let links: FakeInterfaces;
  let sink: RecordingSink;
  let channel: SocketCanChannel;
  let open: (link: CanInterface) => SocketCanChannel;

  beforeEach(() => {
    calls = new FakeCanCalls();
    clock = new FakeClock();
    links = new FakeInterfaces(exampleInterface);
    sink = new RecordingSink();
    const onError = (error: unknown): never => {
      throw error;
    };
    const scheduler = new Scheduler({ clock, alarm: new FakeAlarm(clock), onError });
    const reporter = new PortReporter(sink, 0);
    const filters = [] as const;
    open = (link) =>
      new SocketCanChannel({
        link,
        links,
        clock,
        settings: { bus: 'can', mode: 'normal', bitrate: 500_000 },
        filters,
        reporter,
        createPort: (onDown) =>
          new CanPort({ calls, clock, scheduler, reporter, filters, receiveBuffer: 1, onDown }),
        jobs: new BcmJobs(calls),
        routes: undefined,
        endOf: () => undefined,
        onClose: () => undefined,
      });
    channel = open(exampleInterface);
  });

  const send = (id: number) => channel.send(id, 0, 0, noBytes, 0, 0);
  const received = () => sink.received.map(({ id }) => id);
  const sockets = () => calls.log.filter((call) => call === 'socket').length;
  const refuse = () => {
    throw new RangeError('refused');
  };
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

  describe('whose controller had a state before', () => {
    const errorCounts = { tx: 130, rx: 12 };

    it('is off the bus from the beginning', () => {
      channel = open({ ...exampleInterface, isBusOff: true, busState: 'bus_off' });
      expect([send(1), channel.stats().busState, sink.states]).toEqual([
        'bus_off',
        'bus_off',
        ['bus_off'],
      ]);
    });

    it('has its state and counters when it comes back', async () => {
      channel.follow(undefined);
      channel.follow({ ...exampleInterface, index: 5, busState: 'error_passive', errorCounts });
      await settled();
      const { busState, txErrorCount, rxErrorCount } = channel.stats();
      expect([busState, txErrorCount, rxErrorCount]).toEqual(['error_passive', 130, 12]);
    });
  });

  describe('that is configured', () => {
    it('loses nothing in either direction where the change is refused', async () => {
      links.onRun = () => {
        calls.arrive(0x100);
        refuse();
      };
      for (const id of [1, 2]) send(id);
      await expect(channel.configure(change)).rejects.toThrow('refused');
      await settled();
      calls.notice();
      expect(received()).toEqual([0x100]);
      expect(sink.completed.map(({ id }) => id)).toEqual([1, 2]);
      expect([sink.failedFrames, sockets(), channel.settings.bitrate]).toEqual([0, 1, 500_000]);
    });

    it('hears everything while its interface stays up, and fails what was queued', async () => {
      links.onRun = () => calls.arrive(0x100);
      for (const id of [1, 2]) send(id);
      await channel.configure(change);
      send(3);
      await settled();
      calls.notice();
      expect(received()).toEqual([0x100]);
      expect([calls.sent, sink.failedFrames, sink.lastFailed]).toEqual([[3], 2, 2]);
      expect([sockets(), channel.settings.bitrate]).toEqual([1, 125_000]);
    });

    it('hears everything before and after its interface was down, and is not lost by that', async () => {
      links.onRun = (_link, onDown) => {
        calls.arrive(0x100);
        onDown();
        calls.errors.push(constants.errno.ENETDOWN);
        calls.notice();
        calls.errors.push(constants.errno.ENETDOWN);
        calls.arrive(0x101);
      };
      await channel.configure(change);
      calls.notice();
      expect([received(), sink.presence]).toEqual([[0x100, 0x101], []]);
      expect(send(1)).toBe('accepted');
    });

    it('is lost where others take its interface down while it is changed', async () => {
      links.onRun = (_link, onDown) => {
        onDown();
        channel.follow({ ...exampleInterface, isUp: false });
      };
      await channel.configure(change);
      expect([sink.presence, send(1)]).toEqual([['lost'], 'lost']);
      links.onRun = () => undefined;
      channel.follow(exampleInterface);
      await settled();
      expect([sink.presence, send(1)]).toEqual([['lost', 'returned'], 'accepted']);
    });

    it('is lost and back where others take it down and up while it is changed', async () => {
      calls.echoes = false;
      links.onRun = () => {
        calls.errors.push(constants.errno.ENETDOWN);
        calls.notice();
        links.onRun = () => undefined;
      };
      send(1);
      await settled();
      await channel.configure(change);
      await settled();
      expect([sink.presence, sink.failedFrames]).toEqual([['lost', 'returned'], 1]);
      expect([channel.pending, channel.settings.bitrate]).toEqual([0, 125_000]);
    });

    it('comes back without an event where that it was down is noticed after the change', async () => {
      links.onRun = () => {
        channel.follow({ ...exampleInterface, isUp: false });
        channel.follow(exampleInterface);
        links.onRun = () => undefined;
      };
      await channel.configure(change);
      calls.errors.push(constants.errno.ENETDOWN);
      calls.notice();
      expect(sink.presence).toEqual(['lost']);
      clock.advanceUs(1_000_000);
      await settled();
      expect([sink.presence, send(1)]).toEqual([['lost', 'returned'], 'accepted']);
    });

    it('takes its interface up later where a change has left it down', async () => {
      links.onRun = (_link, onDown) => {
        onDown();
        channel.follow({ ...exampleInterface, isUp: false });
        refuse();
      };
      await expect(channel.configure(change)).rejects.toThrow('refused');
      expect(sink.presence).toEqual(['lost']);
      links.onRun = () => channel.follow(exampleInterface);
      clock.advanceUs(1_000_000);
      await settled();
      expect([sink.presence, send(1)]).toEqual([['lost', 'returned'], 'accepted']);
    });

    it('runs as before where the change fails once its interface is down', async () => {
      links.onRun = (_link, onDown) => {
        onDown();
        links.onRun = () => undefined;
        refuse();
      };
      await expect(channel.configure(change)).rejects.toThrow('refused');
      expect(links.asked.map(({ bitrate }) => bitrate)).toEqual([125_000, 500_000]);
      expect([sink.presence, channel.settings.bitrate]).toEqual([[], 500_000]);
    });

    it('sends nothing that is accepted until it only listens', async () => {
      const configured = channel.configure({ group: 'mode', mode: 'listen_only' });
      expect(send(1)).toBe('accepted');
      await configured;
      await settled();
      expect([calls.sent, sink.failedFrames, send(2)]).toEqual([[], 1, 'listen_only']);
    });

    it('is lost where its jobs cannot go on, and comes back as it was', async () => {
      channel.offload.startCyclic(job);
      links.onRun = (_link, onDown) => onDown();
      calls.writeErrno = constants.errno.ENOMEM;
      await expect(channel.configure(change)).rejects.toMatchObject({ code: 'hardware_error' });
      expect([sink.presence, channel.settings.bitrate]).toEqual([['lost'], 500_000]);
      calls.writeErrno = 0;
      clock.advanceUs(1_000_000);
      await settled();
      expect([sink.presence, links.asked.at(-1)?.bitrate]).toEqual([['lost', 'returned'], 500_000]);
    });

    it('keeps jobs of the kernel where they are while its interface stays up', async () => {
      channel.offload.startCyclic(job);
      await channel.configure(change);
      expect(calls.written).toHaveLength(1);
      await channel.configure({ group: 'mode', mode: 'listen_only' });
      expect(calls.open.size).toBe(1);
      await channel.configure({ group: 'mode', mode: 'normal' });
      expect(calls.written).toHaveLength(2);
    });
  });

  describe('that is off the bus', () => {
    const down = { ...exampleInterface, isUp: false };

    beforeEach(() => channel.follow({ ...exampleInterface, isBusOff: true }));

    it('is back on the bus once a setting is applied again that restarts the controller', async () => {
      const restarted: string[] = [];
      links.onRestart = ({ name }) => {
        restarted.push(name);
        channel.follow(exampleInterface);
      };
      const { bitrate, mode } = channel.settings;
      for (const again of [
        { group: 'bitrate', bitrate },
        { group: 'mode', mode },
      ] as const) {
        channel.follow({ ...exampleInterface, isBusOff: true });
        expect(send(1)).toBe('bus_off');
        await channel.configure(again);
        expect([sink.states.at(-1), send(1)]).toEqual(['error_active', 'accepted']);
      }
      expect([restarted.length, links.asked]).toEqual([2, []]);
    });

    it('takes its interface up later where the restart has left it down', async () => {
      links.onRestart = (_link, onDown) => {
        onDown();
        channel.follow(down);
        refuse();
      };
      links.onRun = refuse;
      await expect(channel.recover()).rejects.toThrow('refused');
      expect(sink.presence).toEqual(['lost']);
      links.onRun = () => channel.follow(exampleInterface);
      clock.advanceUs(1_000_000);
      await settled();
      expect([sink.presence, send(1)]).toEqual([['lost', 'returned'], 'accepted']);
    });

    it('leaves its interface down where others took it down after a restart was refused', async () => {
      links.onRestart = refuse;
      await expect(channel.recover()).rejects.toThrow('refused');
      channel.follow(down);
      await settled();
      clock.advanceUs(10_000_000);
      await settled();
      expect([sink.presence, links.asked]).toEqual([['lost'], []]);
    });
  });

  describe('whose interface is gone', () => {
    const lose = () => channel.follow(undefined);
    const comeBack = async () => {
      channel.follow({ ...exampleInterface, index: 5 });
      await settled();
    };

    it('is lost again where it goes while the channel comes back to it', async () => {
      lose();
      links.onRun = () => channel.follow(undefined);
      await comeBack();
      expect([sink.presence, send(1)]).toEqual([['lost', 'returned', 'lost'], 'lost']);
      links.onRun = () => undefined;
      await comeBack();
      expect([sink.presence.at(-1), send(1)]).toEqual(['returned', 'accepted']);
    });

    it('tries again to set it up where that failed, without an event', async () => {
      lose();
      links.onRun = refuse;
      await comeBack();
      expect(sink.presence).toEqual(['lost']);
      links.onRun = () => undefined;
      clock.advanceUs(1_000_000);
      await settled();
      expect([sink.presence, send(1)]).toEqual([['lost', 'returned'], 'accepted']);
    });

    it('is back only once its jobs are', async () => {
      channel.offload.startCyclic(job);
      lose();
      calls.writeErrno = constants.errno.ENOMEM;
      await comeBack();
      expect([sink.presence, send(1), calls.open.size]).toEqual([['lost'], 'lost', 0]);
      calls.writeErrno = 0;
      clock.advanceUs(1_000_000);
      await settled();
      expect([sink.presence, send(1)]).toEqual([['lost', 'returned'], 'accepted']);
    });

    it('gives back the one it comes back to where it is closed meanwhile', async () => {
      lose();
      let closed: Promise<void> | undefined;
      links.onRun = () => {
        closed = channel.close();
      };
      await comeBack();
      await closed;
      expect(links.released.map(({ index }) => index)).toEqual([5]);
    });

    it('tries no more once it is closed', async () => {
      lose();
      links.onRun = refuse;
      await comeBack();
      await channel.close();
      const tries = links.asked.length;
      clock.advanceUs(10_000_000);
      await settled();
      expect([links.asked.length, clock.pendingTimers]).toEqual([tries, 0]);
    });
  });
});
