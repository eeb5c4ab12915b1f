import { FrameEncoder } from '../../src/demo/frame-layout.ts';
import { wheels } from '../../src/demo/gateway-frames.ts';
import { canFrames } from '../../src/demo/vehicle-frames.ts';
import { VehicleModel } from '../../src/demo/vehicle-model.ts';
import { link } from '../../src/e2e/testing/frames.ts';
import { maxFdLength } from '../../src/frame/dlc.ts';
import { busCode, eventKindCode, frameFlag } from '../../src/frame/frm2-layout.ts';
import { createBlf } from '../../src/trace/blf/create-blf.ts';
import { FileSink } from '../../src/trace/testing/memory-bytes.ts';
import { TraceBatch } from '../../src/trace/trace-batch.ts';

const batchRows = 4096;
const channels = { powertrain: 1, body: 2 } as const;

interface LogSettings {
  readonly seconds: number;
  /** Times at which the next frame of `Wheels` has a wrong checksum. */
  readonly corruptAtS: readonly number[];
}

interface Sender {
  readonly periodUs: number;
  readonly send: (us: number) => void;
}

/**
 * A BLF file of the CAN frames of the demonstration vehicle, with the protected frame `Wheels` of
 * its gateway.
 */
export const driveLog = ({ seconds, corruptAtS }: LogSettings): Buffer => {
  const sink = new FileSink();
  const names = new Map(
    Object.entries(channels).map(([name, channel]) => [channel as number, name]),
  );
  const channelName = (channel: number): string | null => names.get(channel) ?? null;
  const writer = createBlf(sink, { startUnixUs: 1_700_000_000_000_000, channelName });
  const batch = new TraceBatch(batchRows);
  const flush = (): void => {
    writer.write(batch, 0, batch.count);
    batch.clear();
  };
  const put = (
    us: number,
    channel: number,
    id: number,
    flags: number,
    dlc: number,
    data: Uint8Array,
  ) => {
    if (batch.count === batchRows) flush();
    const row = batch.count;
    const bus = (flags & frameFlag.fd) === 0 ? busCode.can : busCode.canfd;
    batch.putRow(bus, eventKindCode.rx_frame, channel, id, flags, dlc, data.length);
    batch.timeNs[row] = us * 1000;
    batch.payload.set(data, row * maxFdLength);
    batch.count++;
  };

  const car = new VehicleModel();
  const encoders = canFrames.map((layout) => ({ layout, encoder: new FrameEncoder(layout) }));
  const { protector } = link({ profile: '1A', data_id: wheels.id }, wheels.length);
  const waiting = [...corruptAtS];
  const bytes = new Uint8Array(wheels.length);
  const sendWheels = (us: number): void => {
    const { speed, steeringAngle } = car.advance(us);
    const view = new DataView(bytes.buffer);
    view.setUint16(2, Math.round(100 * speed), true);
    view.setUint16(4, Math.round(Math.abs(steeringAngle)), true);
    protector.protect(bytes, 0);
    protector.commit();
    const isCorrupt = us >= 1e6 * (waiting[0] ?? Number.POSITIVE_INFINITY);
    if (isCorrupt) waiting.shift();
    const sent = isCorrupt
      ? Uint8Array.from(bytes, (byte, at) => (at === 0 ? byte ^ 0x10 : byte))
      : bytes;
    put(us, channels.body, wheels.id, 0, wheels.length, sent);
  };
  const senders: readonly Sender[] = [
    ...encoders.map(({ layout, encoder }) => ({
      periodUs: layout.periodUs,
      send: (us: number) => {
        encoder.encode(car.advance(us));
        const channel = layout.bus === 'body' ? channels.body : channels.powertrain;
        put(us, channel, layout.id, encoder.flags, encoder.dlc, encoder.data);
      },
    })),
    { periodUs: 1000 * wheels.periodMs, send: sendWheels },
  ];
  const stepUs = 10_000;
  for (let us = 0; us < 1e6 * seconds; us += stepUs) {
    for (const [at, { periodUs, send }] of senders.entries()) {
      if (us % periodUs === 0) send(us + 100 * at);
    }
  }
  flush();
  writer.end();
  return sink.bytes();
};
