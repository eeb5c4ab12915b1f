import { SystemClock } from '../../src/base/clock/system-clock.ts';
import { loadSystemTimer } from '../../src/base/native/system-timer.ts';
import { Scheduler } from '../../src/base/schedule/scheduler.ts';
import { TimerAlarm } from '../../src/base/schedule/timer-alarm.ts';
import { builtInBench } from '../../src/bench/built-in-bench.ts';
import type { Channel } from '../../src/bench/channel.ts';
import { ChannelTable } from '../../src/bench/channel-table.ts';
import { Broker } from '../../src/broker/broker.ts';
import { CanTransport } from '../../src/diagnostics/service/can-transport.ts';
import { DiagnosticLinks } from '../../src/diagnostics/service/diagnostic-links.ts';
import { DriverRegistry } from '../../src/drivers/registry.ts';
import { frm2Id, frm2TimestampUs } from '../../src/frame/frm2-codec.ts';
import { linkOf } from '../../src/pdu/isotp/link-settings.ts';

const onDefect = (thrown: unknown): never => {
  throw thrown;
};
const clock = new SystemClock();
const alarm = new TimerAlarm(await loadSystemTimer(clock));
const scheduler = new Scheduler({ clock, alarm, onError: onDefect });
const broker = new Broker();
const context = { clock, scheduler, addresses: [], broker };
const channels = new ChannelTable({
  broker,
  clock,
  scheduler,
  drivers: new DriverRegistry(() => context),
  audience: { opening: async () => undefined, closed: async () => undefined },
  onDefect,
});
const bench = async () => ({ ...builtInBench, ecus });
const settings = { bus: 'canfd', bitrate: 500_000, data_bitrate: 2_000_000 } as const;
const fd = { fd: true, max_length: 5000, p2_ms: 1000, padding: 'none' };
const one = { channel: 'SIM00001/0', request_id: 0x7e0, response_id: 0x7e8, ...fd };
const paused = { channel: 'SIM00001/0', request_id: 0x7e1, response_id: 0x7e9, ...fd };
const ecus = { one, paused };

const open = async (port: number): Promise<Channel> => {
  const { slot } = await channels.open({ channel: `SIM00001/${port}`, ...settings }, bench);
  return channels.channels.find((channel) => channel.slot === slot) as Channel;
};
await open(0);
const ecuChannel = await open(1);

/** An ECU that answers each request as soon as it has it. */
const serve = (
  request_id: number,
  response_id: number,
  st_min_us: number,
  answerOf: (request: Uint8Array) => Uint8Array,
): void => {
  const link = linkOf({ request_id, response_id, st_min_us, ...fd });
  const transport: CanTransport = new CanTransport({
    clock,
    scheduler,
    channel: ecuChannel,
    link,
    peers: () => [],
    listener: {
      sent: () => undefined,
      notSent: onDefect,
      presenceSent: () => undefined,
      began: () => undefined,
      received: (payload) => transport.send(answerOf(payload), false),
      broke: onDefect,
      finding: () => undefined,
    },
  });
};
const positive = (request: Uint8Array): Uint8Array =>
  request[0] === 0x22
    ? Uint8Array.of(0x62, 0xf1, 0x90, 1)
    : Uint8Array.of((request[0] as number) | 0x40, request[1] as number);
serve(0x7e8, 0x7e0, 0, positive);
serve(0x7e9, 0x7e1, 2000, positive);

const sorted = (values: number[]) => values.sort((a, b) => a - b);
const p99 = (values: number[]): number =>
  sorted(values)[Math.min(values.length - 1, Math.floor(values.length * 0.99))] as number;

const links = new DiagnosticLinks({ clock, scheduler, channels, capacity: 64 });
const link = await links.use('one', bench);

// Reads of one DID: from the ECU's response on the bus to the caller.
let responseUs = 0;
const { channel } = link;
channel?.onFrame((record, at) => {
  if (frm2Id(record, at) === 0x7e8) responseUs = frm2TimestampUs(record, at) - clock.unixOffsetUs;
});
const reads: number[] = [];
for (let index = 0; index < 500; index++) {
  await link.request(Uint8Array.of(0x22, 0xf1, 0x90), {});
  reads.push(clock.monotonicUs() - responseUs);
}

// STmin: from the end of one consecutive frame to the start of the next.
const gaps: number[] = [];
let frameEnds: number[] = [];
const pausedLink = await links.use('paused', bench);
const ends: number[] = [];
channel?.onSent((record, at) => {
  const id = frm2Id(record, at);
  if (id === 0x7e1) {
    frameEnds.push(frm2TimestampUs(record, at));
  }
  if (id === 0x7e0) ends.push(frm2TimestampUs(record, at));
});
for (let index = 0; index < 4; index++) {
  frameEnds = [];
  await pausedLink.request(new Uint8Array(4000).fill(0x36), { protocol: 'isotp' });
  // Consecutive frames of 64 bytes: neither the first frame nor the last, which is shorter.
  for (let at = 2; at < frameEnds.length - 1; at++) {
    gaps.push((frameEnds[at] as number) - (frameEnds[at - 1] as number));
  }
}

// A download of one mebibyte in blocks of 4,095 bytes.
const block = new Uint8Array(4095).fill(0x36);
const blocks = Math.ceil((1024 * 1024) / 4093);
const busyBefore = channel?.hardware.stats().busyUs ?? 0;
const startUs = clock.monotonicUs();
for (let index = 0; index < blocks; index++) await link.request(block, {});
const durationUs = clock.monotonicUs() - startUs;
const busyUs = (channel?.hardware.stats().busyUs ?? 0) - busyBefore;
/** A frame of 64 bytes on the wire: they follow each other without a gap in a download. */
const steps = ends.slice(1).map((end, index) => end - (ends[index] as number));
const frameUs = sorted(steps)[Math.floor(steps.length / 2)] as number;
const waits = sorted(gaps.map((gap) => gap - frameUs));

console.log(
  JSON.stringify({
    readP99Us: p99(reads),
    stMinUs: 2000,
    gapLeastUs: waits[0],
    gapP99Us: p99(waits),
    durationUs,
    busyUs,
  }),
);
process.exit(0);
