import { SystemClock } from '../../src/base/clock/system-clock.ts';
import { requestFifo } from '../../src/base/native/libc.ts';
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
const ecus = { one };

const open = async (port: number): Promise<Channel> => {
  const { slot } = await channels.open({ channel: `SIM00001/${port}`, ...settings }, bench);
  return channels.channels.find((channel) => channel.slot === slot) as Channel;
};
await open(0);
const ecuChannel = await open(1);

const positive = (request: Uint8Array): Uint8Array =>
  request[0] === 0x22
    ? Uint8Array.of(0x62, 0xf1, 0x90, 1)
    : Uint8Array.of((request[0] as number) | 0x40, request[1] as number);
/** An ECU that answers each request as soon as it has it: a link the other way round. */
const ecu: CanTransport = new CanTransport({
  clock,
  scheduler,
  channel: ecuChannel,
  link: linkOf({ request_id: 0x7e8, response_id: 0x7e0, ...fd }),
  peers: () => [],
  listener: {
    sent: () => undefined,
    notSent: onDefect,
    presenceSent: () => undefined,
    began: () => undefined,
    received: (payload) => ecu.send(positive(payload), false),
    broke: onDefect,
    finding: () => undefined,
  },
});

/** Requests until V8 has compiled what they use. */
const warmUp = 2000;
const count = 4000;

const link = await new DiagnosticLinks({ clock, scheduler, channels, capacity: 64 }).use(
  'one',
  bench,
);
const { channel } = link;

// Reads of one DID: from the end of the ECU's response on the bus to the caller, and the part of
// it until the frame is read, which depends on the alarm of the virtual bus.
let responseUs = 0;
let heardUs = 0;
const stopListening = channel?.onFrame((record, at) => {
  if (frm2Id(record, at) !== 0x7e8) return;
  responseUs = frm2TimestampUs(record, at) - clock.unixOffsetUs;
  heardUs = clock.monotonicUs();
});
const reads = new Float64Array(count);
const heard = new Float64Array(count);
const read = () => link.request(Uint8Array.of(0x22, 0xf1, 0x90), {});
for (let index = 0; index < warmUp; index++) await read();
// From here on, other work on the machine is not measured, if this is granted.
const { granted } = await requestFifo(10);
for (let index = 0; index < count; index++) {
  await read();
  reads[index] = clock.monotonicUs() - responseUs;
  heard[index] = heardUs - responseUs;
}
stopListening?.();

// A download of one mebibyte in blocks of 4,095 bytes.
const block = new Uint8Array(4095).fill(0x36);
const blocks = Math.ceil((1024 * 1024) / 4093);
const busyBefore = channel?.hardware.stats().busyUs ?? 0;
const startUs = clock.monotonicUs();
for (let index = 0; index < blocks; index++) await link.request(block, {});
const durationUs = clock.monotonicUs() - startUs;
const busyUs = (channel?.hardware.stats().busyUs ?? 0) - busyBefore;

const quantiles = (samples: Float64Array): number[] => {
  samples.sort();
  return [0.5, 0.99, 1].map((share) => samples[Math.ceil(count * share) - 1] as number);
};
console.log(
  JSON.stringify({
    granted,
    count,
    readUs: quantiles(reads),
    heardUs: quantiles(heard),
    durationUs,
    busyUs,
  }),
);
process.exit(0);
