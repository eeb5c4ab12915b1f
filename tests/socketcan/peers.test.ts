import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CanChannel } from '../../src/drivers/driver-channel.ts';
import { RecordingSink } from '../../src/drivers/testing/recording-sink.ts';
import { frameFlag } from '../../src/frame/frm2-layout.ts';
import { formatHex } from '../../src/frame/hex-bytes.ts';
import { dumpOf, Peer, program } from './support/can-programs.ts';
import { setUpDriver } from './support/socketcan-rig.ts';

const { brs, esi, extended, fd, remote } = frameFlag;

/** A frame in the notation of can-utils, and as an object. */
const kinds = [
  { text: '123#', id: 0x123, flags: 0, dlc: 0 },
  { text: '7FF#0011223344556677', id: 0x7ff, flags: 0, dlc: 8 },
  { text: '00000123#AABB', id: 0x123, flags: extended, dlc: 2 },
  { text: '1FFFFFFF#11', id: 0x1fffffff, flags: extended, dlc: 1 },
  { text: '456#R', id: 0x456, flags: remote, dlc: 0 },
  { text: '456#R5', id: 0x456, flags: remote, dlc: 5 },
  { text: '18FF50E5#R3', id: 0x18ff50e5, flags: remote | extended, dlc: 3 },
  { text: '123##0', id: 0x123, flags: fd, dlc: 0 },
  { text: '123##1001122334455667788AABBCC', id: 0x123, flags: fd | brs, dlc: 9 },
  { text: '18FF50E5##3AA', id: 0x18ff50e5, flags: fd | brs | esi | extended, dlc: 1 },
  { text: `321##1${'5A'.repeat(64)}`, id: 0x321, flags: fd | brs, dlc: 15 },
] as const;

/** The bytes of a frame in that notation. */
const dataOf = (text: string): Uint8Array => {
  const [, payload = ''] = text.split(/##?/);
  if (payload.startsWith('R')) return new Uint8Array(0);
  return Uint8Array.from(Buffer.from(text.includes('##') ? payload.slice(1) : payload, 'hex'));
};

describe('a channel beside other programs on its interface', () => {
  let rig: Awaited<ReturnType<typeof setUpDriver>>;
  let channel: CanChannel;
  let events: RecordingSink;

  beforeAll(async () => {
    rig = await setUpDriver();
    events = new RecordingSink();
    const opened = await rig.driver.open('vcan0', 0, {}, events);
    if (opened.bus === 'lin') throw new TypeError('vcan0 is no LIN port');
    channel = opened;
  });
  afterAll(() => rig.tearDown());

  const sendText = (text: string, { id, flags, dlc }: (typeof kinds)[number]): void => {
    const data = dataOf(text);
    expect(channel.send(id, flags, dlc, data, 0, data.length)).toBe('accepted');
  };

  it('receives every kind of frame that cansend sends', async () => {
    events.clear();
    for (const { text } of kinds) await program('cansend', 'vcan0', text);
    await rig.until(() => events.received.length >= kinds.length);
    expect(events.received).toMatchObject(
      kinds.map(({ text, id, flags, dlc }) => ({
        kind: 'rx_frame',
        id,
        flags,
        dlc,
        data: formatHex(dataOf(text)),
        bus: (flags & fd) === 0 ? 'can' : 'canfd',
        txNumber: 0,
      })),
    );
  });

  it('sends every kind of frame so that candump prints it', async () => {
    events.clear();
    const dump = await dumpOf('vcan0');
    for (const kind of kinds) sendText(kind.text, kind);
    await rig.until(() => dump.lines.length >= kinds.length);
    const printed = dump.lines.map((line) => line.split(' ')[2]);
    // candump prints the flag of CAN FD itself first, and no digit for a remote frame of length
    // 0.
    const expected = kinds.map(({ text }) =>
      text.replace(/##(.)/, (_, digit) => `##${(Number(digit) | 4).toString(16)}`),
    );
    expect(
      printed.map((text) => text?.replace(/##(.)/, (_, d) => `##${Number.parseInt(d, 16) | 4}`)),
    ).toEqual(expected);
    await rig.until(() => events.completed.length >= kinds.length);
    expect(events.completed).toHaveLength(kinds.length);
  });

  it('stamps frames as candump does, as exactly as its clock is known', async () => {
    // It only becomes narrower.
    const { clockBracketUs = Number.NaN } = channel;
    events.clear();
    const dump = await dumpOf('vcan0');
    // Each starts a program: the offset is measured again in between.
    for (let count = 1; count <= 9; count++) await program('cansend', 'vcan0', `2A0#0${count}`);
    await rig.until(() => events.received.length >= 9 && dump.lines.length >= 9);
    const theirs = dump.lines.map((line) => Number(line.replace(/^\((\d+)\.(\d{6})\).*/, '$1$2')));
    const apartUs = events.received.map(({ timestampUs }, index) =>
      Math.abs(timestampUs - (theirs[index] ?? Number.NaN)),
    );
    // Both cut off fractions of a microsecond.
    expect(Math.max(...apartUs)).toBeLessThanOrEqual(clockBracketUs / 2 + 1);
  });

  it('tells its own frames from equal ones of another program', async () => {
    events.clear();
    channel.send(0x111, 0, 1, Uint8Array.of(7), 0, 1);
    // Processors loop frames back on their own: the second frame could overtake the first.
    await rig.until(() => events.completed.length >= 1);
    await program('cansend', 'vcan0', '111#07');
    await rig.until(() => events.all.length >= 2);
    expect(events.all.map(({ kind, txNumber }) => [kind, txNumber > 0])).toEqual([
      ['tx_complete', true],
      ['rx_frame', false],
    ]);
  });

  it('hears a log that canplayer plays', async () => {
    events.clear();
    const file = join(tmpdir(), 'played.log');
    const frames = Array.from(
      { length: 50 },
      (_, i) => `${(0x200 + i).toString(16)}#${i.toString(16).padStart(2, '0')}`,
    );
    const lines = frames.map((text, i) => `(${(1_000 + i / 1_000).toFixed(6)}) vcan0 ${text}`);
    writeFileSync(file, `${lines.join('\n')}\n`);
    await program('canplayer', '-I', file, '-t', 'vcan0=vcan0');
    await rig.until(() => events.received.length >= 50);
    expect(events.received.map(({ id }) => id)).toEqual(
      Array.from({ length: 50 }, (_, i) => 0x200 + i),
    );
  });

  it('talks with python-can both ways', async () => {
    events.clear();
    const script = `
import can
bus = can.Bus(interface='socketcan', channel='vcan0', fd=True)
print('ready', flush=True)
for _ in range(3):
    m = bus.recv(20)
    bus.send(can.Message(arbitration_id=m.arbitration_id + 0x100, is_extended_id=m.is_extended_id,
        is_fd=m.is_fd, bitrate_switch=m.bitrate_switch, data=bytes(reversed(m.data))))
bus.shutdown()
`;
    const python = new Peer('/usr/bin/python3', '-c', script);
    await rig.until(() => python.output.includes('ready') || python.hasEnded);
    expect(python.output).toContain('ready');
    channel.send(0x10, 0, 3, Uint8Array.of(1, 2, 3), 0, 3);
    channel.send(0x11, extended, 1, Uint8Array.of(9), 0, 1);
    channel.send(
      0x12,
      fd | brs,
      9,
      Uint8Array.from({ length: 12 }, (_, i) => i),
      0,
      12,
    );
    await rig.until(() => events.received.length >= 3);
    expect(events.received).toMatchObject([
      { id: 0x110, flags: 0, data: '030201' },
      { id: 0x111, flags: extended, data: '09' },
      { id: 0x112, flags: fd | brs, data: '0B0A09080706050403020100' },
    ]);
  });

  it('leaves ISO-TP traffic of others alone, and sees it', async () => {
    events.clear();
    const payload = Array.from({ length: 40 }, (_, i) => i.toString(16).padStart(2, '0')).join(' ');
    const receiver = new Peer('isotprecv', '-s', '701', '-d', '700', 'vcan0');
    const isBound = () => readFileSync('/proc/net/can/rcvlist_sff', 'utf8').includes('isotp');
    await rig.until(isBound);
    execFileSync('isotpsend', ['-s', '700', '-d', '701', 'vcan0'], { input: payload });
    await rig.until(() => receiver.hasEnded);
    expect(receiver.output.trim().toLowerCase()).toBe(payload);
    // First frame, flow control, and five consecutive ones.
    await rig.until(() => events.received.length >= 7);
    expect(events.received.map(({ id }) => id.toString(16))).toEqual([
      '700',
      '701',
      ...Array(5).fill('700'),
    ]);
  });

  it('reads error frames as states, counters and events', async () => {
    events.clear();
    await program('cansend', 'vcan0', '20000204#000C000000006070');
    await rig.until(() => events.errors.length >= 1);
    expect(events.errors).toMatchObject([
      {
        status: 'state_change',
        id: 0x204,
        flags: frameFlag.error,
        data: '000C000000006070',
        count: 0,
      },
    ]);
    expect(events.states).toEqual(['error_warning']);
    expect(channel.stats()).toMatchObject({
      busState: 'error_warning',
      txErrorCount: 0x60,
      rxErrorCount: 0x70,
    });
    await program('cansend', 'vcan0', '20000088#0000020000000000');
    await rig.until(() => events.errors.length >= 2);
    expect(events.errors.at(-1)).toMatchObject({ status: 'bus_error', id: 0x88, count: 1 });
    expect(channel.stats().errorFrames).toBe(1);
    await program('cansend', 'vcan0', '20000204#0040000000000000');
    await rig.until(() => events.states.length >= 2);
    expect(events.states).toEqual(['error_warning', 'error_active']);
  });
});

describe('a flood', () => {
  it('is received whole, or every loss is counted and told', async () => {
    const rig = await setUpDriver(4096);
    const events = new RecordingSink();
    const channel = await rig.driver.open('vcan1', 0, {}, events);
    const frames = 300;
    // The thread is blocked meanwhile.
    execFileSync('cangen', ['vcan1', '-g', '0', '-n', String(frames), '-I', 'i', '-L', '8']);
    await rig.until(() => channel.stats().rxFrames + channel.stats().overruns === frames);
    const { rxFrames, overruns } = channel.stats();
    expect(overruns).toBeGreaterThan(0);
    expect(rxFrames).toBe(events.received.length);
    const reported = events.all.filter(({ status }) => status === 'overrun');
    const missing = reported.map(({ data }) => Number.parseInt(data.slice(8), 16));
    expect(missing.reduce((sum, count) => sum + count, 0)).toBe(overruns);
    // Its position among the frames is where they are missing.
    const at = events.all.findIndex(({ status }) => status === 'overrun');
    expect(events.all.slice(0, at).map(({ id }) => id)).toEqual(
      Array.from({ length: at }, (_, i) => i),
    );
    await rig.tearDown();
  });

  it('that fits what the kernel keeps loses nothing', async () => {
    const rig = await setUpDriver();
    const events = new RecordingSink();
    const channel = await rig.driver.open('vcan1', 0, {}, events);
    execFileSync('cangen', ['vcan1', '-g', '0', '-n', '1000', '-I', 'i', '-L', '8']);
    await rig.until(() => events.received.length >= 1000);
    expect(channel.stats()).toMatchObject({ rxFrames: 1000, overruns: 0 });
    await rig.tearDown();
  });
});
