import { constants } from 'node:os';
import { beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { eventually } from '../../base/testing/eventually.ts';
import { LinkMonitor } from './link-monitor.ts';
import { encodeMessage, messageType } from './netlink/messages.ts';
import { NetlinkSocket } from './netlink/netlink-socket.ts';
import { acknowledgement, FakeCalls, listEnd } from './netlink/testing/fake-calls.ts';
import {
  controllerDown,
  controllerUp,
  ethernet,
  virtualUp,
} from './netlink/testing/recorded-messages.ts';

const controllerIndex = 2;

const event = (body: Buffer, type: number = messageType.newLink): Buffer =>
  encodeMessage(type, 0, 0, body);

describe('the monitor of links', () => {
  let calls: FakeCalls;
  let clock: FakeClock;
  let monitor: LinkMonitor;
  let log: string[];
  /** Interfaces of the kernel, by index. */
  let kernel: Map<number, Buffer>;

  beforeEach(() => {
    calls = new FakeCalls();
    clock = new FakeClock();
    log = [];
    kernel = new Map([
      [controllerIndex, controllerDown.body],
      [4, virtualUp.body],
      [7, ethernet.body],
    ]);
    calls.answer = ({ sequence, flags, body }) => {
      const reported = (bytes: Buffer) => encodeMessage(messageType.newLink, 2, sequence, bytes);
      if ((flags & 0x300) !== 0) return [...[...kernel.values()].map(reported), listEnd(sequence)];
      const one = kernel.get(body.readInt32LE(4));
      if (!one) return [acknowledgement(sequence, constants.errno.ENODEV)];
      return [reported(one), acknowledgement(sequence)];
    };
    monitor = new LinkMonitor({ calls, socket: new NetlinkSocket(calls), clock });
    monitor.listen({
      onAppeared: ({ name }) => log.push(`+${name}`),
      onChanged: ({ name, isUp }) => log.push(`${name} ${isUp ? 'up' : 'down'}`),
      onVanished: ({ name }) => log.push(`-${name}`),
    });
  });

  it('finds those that are there, and CAN alone', async () => {
    expect((await monitor.refresh()).map(({ name }) => name)).toEqual(['can0', 'vcan0']);
    expect(log).toEqual(['+can0', '+vcan0']);
  });

  it('tells what changes, comes and goes by events, and nothing twice', async () => {
    await monitor.refresh();
    log.length = 0;
    calls.happen(event(controllerUp.body), event(controllerUp.body), event(ethernet.body));
    calls.happen(event(virtualUp.body, messageType.deleteLink), event(virtualUp.body));
    expect(log).toEqual(['can0 up', '-vcan0', '+vcan0']);
  });

  it('asks for everything again when events were lost', async () => {
    await monitor.refresh();
    log.length = 0;
    kernel.delete(4);
    kernel.set(controllerIndex, controllerUp.body);
    calls.happen(-constants.errno.ENOBUFS);
    await eventually(() => log.length === 2);
    expect(log).toEqual(['-vcan0', 'can0 up']);
  });

  it('takes no event that was on its way for newer than an answer', async () => {
    await monitor.refresh();
    log.length = 0;
    const { answer } = calls;
    kernel.set(controllerIndex, controllerUp.body);
    let questions = 0;
    calls.answer = (request) => {
      questions += 1;
      // Went down and up again during the request.
      if (questions === 1) calls.queue(event(controllerDown.body), event(controllerUp.body));
      return answer(request);
    };
    expect((await monitor.read(controllerIndex))?.isUp).toBe(true);
    expect(questions).toBe(2);
    expect(log.at(-1)).toBe('can0 up');
    expect(monitor.links.find(({ index }) => index === controllerIndex)?.isUp).toBe(true);
  });

  it('notices by a question that one is gone', async () => {
    await monitor.refresh();
    kernel.delete(controllerIndex);
    expect(await monitor.read(controllerIndex)).toBeUndefined();
    expect(log).toContain('-can0');
  });

  it('reads those that are held once a second, and no others', async () => {
    await monitor.refresh();
    const before = calls.requests.length;
    clock.advanceUs(5e6);
    expect(calls.requests).toHaveLength(before);
    monitor.hold(controllerIndex);
    kernel.set(controllerIndex, controllerUp.body);
    clock.advanceUs(1e6);
    await eventually(() => log.includes('can0 up'));
    monitor.release(controllerIndex);
    const after = calls.requests.length;
    clock.advanceUs(5e6);
    expect(calls.requests).toHaveLength(after);
  });

  it('tells nothing once it is closed', async () => {
    await monitor.refresh();
    monitor.hold(controllerIndex);
    monitor.close();
    log.length = 0;
    kernel.set(controllerIndex, controllerUp.body);
    clock.advanceUs(5e6);
    calls.happen(event(controllerUp.body));
    await monitor.refresh();
    expect(log).toEqual([]);
  });
});
