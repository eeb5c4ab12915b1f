import { canFrameUs } from '../../frame/can-bits.ts';
import { dlcToLength } from '../../frame/dlc.ts';
import { busCode, frameFlag } from '../../frame/frm2-layout.ts';
import type { WireFrame } from '../port-reporter.ts';
import type { RawFrames } from './raw-frame.ts';

const nothing = new Uint8Array(0);

export class KernelFrame implements WireFrame {
  bus: number = busCode.can;
  id = 0;
  flags = 0;
  dlc = 0;
  readonly checksum = 0;
  data: Uint8Array = nothing;
  offset = 0;
  length = 0;

  read(frames: RawFrames, slot: number, used: number): void {
    const flags = frames.flags(slot, used);
    const isFd = (flags & frameFlag.fd) !== 0;
    const dlc = frames.dlc(slot, used);
    this.bus = isFd ? busCode.canfd : busCode.can;
    this.id = frames.id(slot);
    this.flags = flags;
    this.dlc = dlc;
    this.data = frames.bytes;
    this.offset = frames.dataOffset(slot);
    this.length = (flags & frameFlag.remote) === 0 ? dlcToLength(dlc, isFd) : 0;
  }

  /** Bus time in microseconds. */
  busUs(bitrate: number, dataBitrate: number): number {
    const { flags, id, dlc, data, offset } = this;
    return canFrameUs(flags, id, dlc, data, offset, bitrate, dataBitrate);
  }
}
