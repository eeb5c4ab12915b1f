import type { RingWriter } from '../broker/ring-writer.ts';
import type { ChannelEvents } from '../drivers/driver-channel.ts';
import {
  setFrm2Checksum,
  setFrm2FilterHit,
  setFrm2HardwareSequence,
  setFrm2Status,
  setFrm2TimestampUs,
  writeFrm2,
} from '../frame/frm2-codec.ts';

/** Writes what a channel reports into its ring, one record an event. Allocates nothing. */
export class EventPublisher implements Pick<ChannelEvents, 'event'> {
  readonly #writer: RingWriter;

  constructor(writer: RingWriter) {
    this.#writer = writer;
  }

  event(
    kind: number,
    bus: number,
    id: number,
    flags: number,
    dlc: number,
    status: number,
    timestampUs: number,
    hardwareSequence: number,
    filterHit: number,
    checksum: number,
    payload: Uint8Array,
    offset: number,
    length: number,
  ): void {
    const writer = this.#writer;
    const at = writer.reserve();
    // The memory of a ring is replaced when it grows.
    const { view } = writer;
    writeFrm2(view, at, bus, kind, writer.channel, id, flags, dlc, payload, offset, length);
    setFrm2Status(view, at, status);
    setFrm2TimestampUs(view, at, timestampUs);
    setFrm2HardwareSequence(view, at, hardwareSequence);
    setFrm2FilterHit(view, at, filterHit);
    setFrm2Checksum(view, at, checksum);
    writer.commit();
  }
}
