import { constants } from 'node:os';
import { beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { Scheduler } from '../../base/schedule/scheduler.ts';
import { FakeAlarm } from '../../base/schedule/testing/fake-alarm.ts';
import { PortReporter } from '../port-reporter.ts';
import { RecordingSink } from '../testing/recording-sink.ts';
import { CanPort } from './can-port.ts';
import { FakeCanCalls } from './testing/fake-can-calls.ts';

const place = { name: 'can7', index: 7, fd: false, kernelFilters: undefined };
const settings = { bus: 'can', mode: 'normal', bitrate: 500_000 } as const;
const noBytes = new Uint8Array(8);
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

describe('a port of the kernel', () => {
  let calls: FakeCanCalls;
  let sink: RecordingSink;
  let port: CanPort;
  let timesDown: number;

  beforeEach(() => {
    const clock = new FakeClock();
    const onError = (error: unknown): never => {
      throw error;
    };
    const scheduler = new Scheduler({ clock, alarm: new FakeAlarm(clock), onError });
    calls = new FakeCanCalls();
    sink = new RecordingSink();
    timesDown = 0;
    port = new CanPort({
      calls,
      clock,
      scheduler,
      reporter: new PortReporter(sink, 0),
      filters: [],
      receiveBuffer: 1,
      onDown: () => {
        timesDown += 1;
      },
    });
    port.open(place, settings);
  });

  const push = (id: number) => port.push(id, 0, 0, noBytes, 0, 0);
  /** Accepted frames are passed to the kernel after the turn. */
  const turn = () => Promise.resolve();
  const completed = () => sink.completed.map(({ id }) => id);

  describe('that is closed', () => {
    it('hands nothing to the kernel that it then tells as failed', () => {
      for (const id of numbers(5)) push(id);
      port.close();
      expect([calls.sent, sink.failedFrames, sink.lastFailed]).toEqual([[], 5, 5]);
      expect(sink.timesDropped).toBe(0);
    });

    it('tells what came out on the bus before, and does not know of the rest with the kernel', async () => {
      calls.echoes = false;
      for (const id of [1, 2, 3]) push(id);
      await turn();
      for (const id of [4, 5]) push(id);
      calls.echo(1);
      port.close();
      expect([calls.sent, completed()]).toEqual([[1, 2, 3], [1]]);
      expect([sink.timesDropped > 0, sink.failedFrames, sink.lastFailed]).toEqual([true, 2, 5]);
      expect(port.pending).toBe(0);
    });

    it('because its interface is down has failed to send what did not come back', async () => {
      calls.echoes = false;
      for (const id of [1, 2, 3]) push(id);
      await turn();
      calls.echo(1);
      port.close(true);
      expect([completed(), sink.failedFrames, sink.timesDropped]).toEqual([[1], 2, 0]);
    });

    it('tells all that was received, however much that is', () => {
      calls.arrive(...numbers(20_000).map((i) => i & 0x7ff));
      port.close();
      expect([sink.received.length, calls.waiting]).toEqual([20_000, 0]);
    });

    it('tells what was received before the interface went down', () => {
      calls.arrive(1, 2);
      calls.errors.push(constants.errno.ENETDOWN);
      port.close(true);
      expect(sink.received.map(({ id }) => id)).toEqual([1, 2]);
    });

    it('is done with a socket that has nothing but errors', () => {
      calls.errors.push(...numbers(10).map(() => constants.errno.ENXIO));
      port.close(true);
      expect(calls.open.size).toBe(0);
    });
  });

  describe('whose interface is changed', () => {
    it('goes on with everything after a change that was refused', async () => {
      for (const id of [1, 2]) push(id);
      port.hold();
      await turn();
      expect(calls.sent).toEqual([]);
      port.resume();
      await turn();
      calls.notice();
      expect([completed(), sink.failedFrames]).toEqual([[1, 2], 0]);
    });

    it('gives up what waited when the change began, and nothing else', async () => {
      calls.echoes = false;
      push(1);
      await turn();
      for (const id of [2, 3]) push(id);
      port.hold();
      push(4);
      port.failHeld();
      port.resume();
      await turn();
      // In the order of acceptance: the kernel still has the first one.
      expect([calls.sent, sink.failedFrames]).toEqual([[1, 4], 0]);
      calls.echo(1);
      calls.echo(4);
      calls.notice();
      expect(sink.completed.map(({ id, txNumber }) => [id, txNumber])).toEqual([
        [1, 1],
        [4, 4],
      ]);
      expect([sink.failedFrames, sink.lastFailed]).toEqual([2, 3]);
    });

    it('holds until every change is over', async () => {
      port.hold();
      port.hold();
      push(1);
      port.resume();
      await turn();
      expect(calls.sent).toEqual([]);
      port.resume();
      await turn();
      expect(calls.sent).toEqual([1]);
    });

    it('keeps its socket while that is down, and all that came through it', async () => {
      calls.echoes = false;
      for (const id of [1, 2]) push(id);
      await turn();
      port.hold();
      calls.echo(1);
      calls.arrive(0x100);
      calls.errors.push(constants.errno.ENETDOWN);
      port.restarted();
      port.resume();
      expect([completed(), sink.failedFrames, sink.lastFailed]).toEqual([[1], 1, 2]);
      calls.arrive(0x101);
      calls.notice();
      expect(sink.received.map(({ id }) => id)).toEqual([0x100, 0x101]);
      expect([timesDown, calls.log.filter((call) => call === 'socket').length]).toEqual([0, 1]);
    });

    it('filters from now on as it is told, and no more where it is told nothing', () => {
      port.setFilters(Uint32Array.of(0x123, 0x7ff));
      expect(calls.options.get('101 1')).toEqual(
        new Uint8Array(Uint32Array.of(0x123, 0x7ff).buffer),
      );
      port.setFilters(undefined);
      expect(calls.options.get('101 1')).toEqual(new Uint8Array(8));
    });
  });

  describe('that reads many messages at once', () => {
    const reported = () => sink.all.map(({ kind, id }) => `${kind} ${id}`);

    it('tells them one by one, in order, each with its own record', () => {
      calls.arrive(...numbers(100));
      calls.notice();
      expect(sink.received.map(({ id }) => id)).toEqual(numbers(100));
      expect(sink.received.map(({ hardwareSequence }) => hardwareSequence)).toEqual(numbers(100));
    });

    it('tells what is its own between those of others', async () => {
      calls.echoes = false;
      for (const id of [1, 2]) push(id);
      await turn();
      calls.arrive(0x100, 0x101);
      calls.echo(1);
      calls.arrive(0x102);
      calls.echo(2);
      calls.arrive(0x103, 0x104);
      calls.notice();
      expect(reported()).toEqual([
        'rx_frame 256',
        'rx_frame 257',
        'tx_complete 1',
        'rx_frame 258',
        'tx_complete 2',
        'rx_frame 259',
        'rx_frame 260',
      ]);
    });

    it('tells an error between frames', () => {
      const busError = 0x2000_0080;
      calls.arrive(1, 2, busError, 3, 4);
      calls.notice();
      expect(sink.all.map(({ id, status }) => [id, status])).toEqual([
        [1, 'ok'],
        [2, 'ok'],
        [0x80, 'bus_error'],
        [3, 'ok'],
        [4, 'ok'],
      ]);
    });

    it('tells no more than the run that a listener closes it in', () => {
      sink.onEvent = ({ id }) => {
        if (id === 50) port.close();
      };
      calls.arrive(...numbers(100));
      calls.notice();
      expect(sink.received.map(({ id }) => id)).toEqual(numbers(64));
      expect(calls.open.size).toBe(0);
    });
  });

  it('leaves no socket behind that could not be watched', () => {
    port.close();
    calls.watchFailure = new Error('no more descriptors');
    expect(() => port.open(place, settings)).toThrow('no more descriptors');
    expect([calls.open.size, calls.watched.at(-1)]).toEqual([0, 'can7']);
  });
});
