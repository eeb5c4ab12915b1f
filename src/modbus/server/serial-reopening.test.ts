import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { Scheduler } from '../../base/schedule/scheduler.ts';
import { FakeAlarm } from '../../base/schedule/testing/fake-alarm.ts';
import type { LinkReceiver } from '../../base/serial/byte-link.ts';
import { encoderOf } from '../session/testing/scripted-transport.ts';
import type { ResolvedSerialEndpoint } from '../transport/endpoint.ts';
import { defaultSettings } from '../transport/endpoint-text.ts';
import { unreachable } from '../transport/unreachable.ts';
import { DataModel } from './data-model.ts';
import { ModbusServer } from './modbus-server.ts';
import { FakeLink } from './testing/fake-link.ts';

const endpoint: ResolvedSerialEndpoint = {
  kind: 'rtu',
  named: '/dev/serial/by-id/meter',
  path: '/dev/ttyUSB0',
  settings: defaultSettings.rtu,
  key: 'tty:1',
  text: 'rtu:/dev/serial/by-id/meter:19200,8E1',
};
const frame = encoderOf('rtu');

/** A server whose port can be present or missing. */
const setUp = async () => {
  const clock = new FakeClock();
  const defects: unknown[] = [];
  const onDefect = (thrown: unknown): void => void defects.push(thrown);
  const scheduler = new Scheduler({ clock, alarm: new FakeAlarm(clock), onError: onDefect });
  const rig = { isThere: true, found: 0, opened: [] as [path: string, atMs: number][] };
  const ports: { receiver: LinkReceiver; link: FakeLink }[] = [];
  const model = new DataModel();
  const server = new ModbusServer({
    clock,
    scheduler,
    onDefect,
    onFound: () => {
      rig.found += 1;
    },
    openPort: ({ path }, receiver) => {
      rig.opened.push([path, clock.monotonicUs() / 1000]);
      const link = new FakeLink();
      ports.push({ receiver, link });
      if (rig.isThere) receiver.opened();
      else receiver.closed(unreachable(path, 'ENOENT'));
      return link;
    },
  });
  await server.start(endpoint, 1, { model });
  const wait = async (ms: number): Promise<void> => {
    clock.advanceUs(1000 * ms);
    for (let turn = 0; turn < 8; turn++) await undefined;
  };
  const pull = (): void => {
    rig.isThere = false;
    ports.at(-1)?.receiver.closed(unreachable('/dev/ttyUSB0', 'hung_up'));
  };
  return { rig, ports, server, model, clock, defects, wait, pull };
};

describe('a serial server that lost its port', () => {
  it('looks for it less and less often, and serves what it had once it is back', async () => {
    const { rig, ports, server, wait, pull } = await setUp();
    const say = async (...pdu: number[]): Promise<string | undefined> => {
      ports.at(-1)?.receiver.bytes(frame(1, pdu));
      await wait(50);
      return ports.at(-1)?.link.writes.at(-1);
    };
    await say(6, 0, 5, 0, 7);
    pull();
    expect(server.state).toBe('lost');
    rig.opened.length = 0;
    for (let ms = 0; ms < 8000; ms += 10) await wait(10);
    const pauses = rig.opened.map(([, at], index) => at - (rig.opened[index - 1]?.[1] ?? 50));
    expect(pauses).toEqual([100, 200, 400, 800, 1600, 3200]);
    expect(new Set(rig.opened.map(([path]) => path))).toEqual(new Set([endpoint.named]));
    rig.isThere = true;
    await wait(5000);
    expect([server.state, rig.found]).toEqual(['listening', 1]);
    const answer = Buffer.from(frame(1, [3, 2, 0, 7])).toString('hex');
    expect(await say(3, 0, 5, 0, 1)).toBe(answer);
  });

  it('is stopped for good when it is told to', async () => {
    const { rig, server, clock, defects, wait, pull } = await setUp();
    pull();
    await server.stop();
    rig.isThere = true;
    await wait(60_000);
    expect(server.state).toBe('stopped');
    expect(rig.opened).toHaveLength(1);
    expect(clock.pendingTimers).toBe(0);
    expect(defects).toEqual([]);
  });
});
