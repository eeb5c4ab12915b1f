import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SystemClock } from '../../src/base/clock/system-clock.ts';
import { loadSystemTimer } from '../../src/base/native/system-timer.ts';
import { Scheduler } from '../../src/base/schedule/scheduler.ts';
import { TimerAlarm } from '../../src/base/schedule/timer-alarm.ts';
import { PtyPair } from '../../src/base/serial/testing/pty-pair.ts';
import { Broker } from '../../src/broker/broker.ts';
import type { Driver } from '../../src/drivers/driver.ts';
import type { CanChannel } from '../../src/drivers/driver-channel.ts';
import { createSlcanDriver } from '../../src/drivers/slcan/slcan-driver.ts';
import { RecordingSink } from '../../src/drivers/testing/recording-sink.ts';
import { frameFlag } from '../../src/frame/frm2-layout.ts';
import { formatHex } from '../../src/frame/hex-bytes.ts';
import { dumpOf, program, standardPython } from './support/can-programs.ts';
import { ip } from './support/socketcan-rig.ts';

const { extended, remote } = frameFlag;
/** An emulated machine on a busy host is slow. */
const patienceMs = 120_000;

/**
 * Attaches a terminal to the kernel's own slcan, which creates an interface, until it is killed.
 */
const attach = `
import fcntl, os, sys, tty
terminal = os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY)
tty.setraw(terminal)
fcntl.ioctl(terminal, 0x5423, (17).to_bytes(4, sys.byteorder))
print(fcntl.ioctl(terminal, 0x8910, bytes(16)).split(b'\\0')[0].decode(), flush=True)
sys.stdin.read()
`;

const kinds = [
  { text: '123#', id: 0x123, flags: 0, dlc: 0 },
  { text: '7FF#0011223344556677', id: 0x7ff, flags: 0, dlc: 8 },
  { text: '00000123#AABB', id: 0x123, flags: extended, dlc: 2 },
  { text: '1FFFFFFF#11', id: 0x1fffffff, flags: extended, dlc: 1 },
  { text: '456#R', id: 0x456, flags: remote, dlc: 0 },
  { text: '18FF50E5#R3', id: 0x18ff50e5, flags: remote | extended, dlc: 3 },
] as const;

const dataOf = (text: string): Uint8Array => {
  const payload = text.split('#')[1] ?? '';
  return payload.startsWith('R') ? new Uint8Array(0) : Buffer.from(payload, 'hex');
};

/** The kernel uses slcan like a host: frames in both directions, and no responses. */
describe('an slcan channel with the slcan of the kernel at its other end', () => {
  const events = new RecordingSink();
  let pair: PtyPair;
  let kernel: ChildProcess;
  let name: string;
  let alarm: TimerAlarm;
  let driver: Driver;
  let channel: CanChannel;

  beforeAll(async () => {
    pair = await PtyPair.create();
    kernel = spawn(...standardPython(attach, realpathSync(pair.other)), {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const lines = createInterface(kernel.stdout as NodeJS.ReadableStream);
    [name] = (await once(lines, 'line')) as [string];
    const clock = new SystemClock();
    alarm = new TimerAlarm(await loadSystemTimer(clock));
    const onError = (error: unknown): never => {
      throw error;
    };
    const scheduler = new Scheduler({ clock, alarm, onError });
    const addresses = [`${pair.one},answers=no`];
    driver = createSlcanDriver({ clock, scheduler, addresses, broker: new Broker() });
    const [device] = await driver.devices();
    ip(`link set ${name} type can bitrate 500000`);
    ip(`link set ${name} up`);
    channel = (await driver.open(device?.sn ?? '', 0, {}, events)) as CanChannel;
  });

  afterAll(async () => {
    await driver.close();
    alarm.stop();
    kernel.kill('SIGKILL');
    await pair.remove();
  });

  const until = async (condition: () => boolean): Promise<void> => {
    const endMs = performance.now() + patienceMs;
    while (!condition()) {
      if (performance.now() > endMs) throw new RangeError('It did not happen in time');
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  };

  it('hears every kind of frame that the kernel sends', async () => {
    events.clear();
    for (const { text } of kinds) await program('cansend', name, text);
    await until(() => events.received.length >= kinds.length);
    expect(events.received).toMatchObject(
      kinds.map(({ text, id, flags, dlc }) => ({ id, flags, dlc, data: formatHex(dataOf(text)) })),
    );
  });

  it('is heard by the kernel with every kind of frame', async () => {
    events.clear();
    const dump = await dumpOf(name);
    for (const { text, id, flags, dlc } of kinds) {
      const data = dataOf(text);
      expect(channel.send(id, flags, dlc, data, 0, data.length)).toBe('accepted');
    }
    await until(() => dump.lines.length >= kinds.length);
    expect(dump.lines.map((line) => line.split(' ')[2])).toEqual(kinds.map(({ text }) => text));
    await until(() => events.completed.length === kinds.length);
    await dump.stop();
  });

  it('loses nothing of what the kernel sends without a pause', async () => {
    events.clear();
    const before = channel.stats();
    await program(
      'cangen',
      name,
      '-g',
      '0',
      '-p',
      '10',
      '-n',
      '300',
      '-I',
      'i',
      '-L',
      '8',
      '-D',
      'i',
    );
    await until(() => events.received.length >= 300);
    expect(events.received.map(({ id }) => id)).toEqual(Array.from({ length: 300 }, (_, i) => i));
    expect(channel.stats()).toMatchObject({
      rxFrames: before.rxFrames + 300,
      overruns: before.overruns,
    });
  });
});
