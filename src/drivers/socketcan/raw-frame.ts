import type { Clock } from '../../base/clock/clock.ts';
import { ClockLead } from '../../base/clock/clock-lead.ts';
import { canFrameUs } from '../../frame/can-bits.ts';
import { dlcToLength, lengthToDlc } from '../../frame/dlc.ts';
import { busCode, frameFlag } from '../../frame/frm2-layout.ts';
import type { WireFrame } from '../port-reporter.ts';

const offsetLastsUs = 1_000_000;
const firstReadings = 32;
const laterReadings = 4;

const windowUs = 10_000_000;

/** A larger step means a reset clock. */
const jumpUs = 1_000_000;

/**
 * Tracks the offset between the daemon's Unix time, which follows the monotonic clock, and the
 * system time of kernel timestamps, which can be set at any time.
 */
export class KernelClock {
  offsetUs = 0;
  readonly #clock: Clock;
  readonly #lead: ClockLead;
  #measuredUs = 0;

  constructor(clock: Clock, systemUs: () => number) {
    this.#clock = clock;
    this.#lead = new ClockLead({ readUs: systemUs, referenceUs: () => clock.monotonicUs() });
    this.#measure(firstReadings);
  }

  get bracketUs(): number {
    return Math.ceil(this.#lead.bracketUs + (this.#clock.unixBracketUs ?? 0));
  }

  get nowUs(): number {
    return this.#clock.unixUs();
  }

  follow(): void {
    if (this.#clock.monotonicUs() - this.#measuredUs >= offsetLastsUs) this.#measure(laterReadings);
  }

  /** Measures early, because a timestamp suggests a clock change. */
  check(): void {
    this.#measure(1);
  }

  #measure(readings: number): void {
    this.#lead.measure(readings);
    this.offsetUs = this.#clock.unixOffsetUs - this.#lead.us;
    this.#measuredUs = this.#clock.monotonicUs();
  }
}

/**
 * Maps an adapter clock to Unix time. The adapter timestamps a frame on the bus, the kernel
 * slightly later. The shortest delay is the best estimate of the offset. Clocks drift, so only
 * the last one or two windows count.
 */
export class AdapterClock {
  #shortestUs = Number.POSITIVE_INFINITY;
  #previousUs = Number.POSITIVE_INFINITY;
  #windowEndsUs = Number.NEGATIVE_INFINITY;

  unixUs(adapterUs: number, kernelUs: number): number {
    const offsetUs = kernelUs - adapterUs;
    if (Math.abs(offsetUs - this.#offsetUs()) > jumpUs) this.#restart();
    if (kernelUs >= this.#windowEndsUs) {
      this.#previousUs = this.#shortestUs;
      this.#shortestUs = Number.POSITIVE_INFINITY;
      this.#windowEndsUs = kernelUs + windowUs;
    }
    this.#shortestUs = Math.min(this.#shortestUs, offsetUs);
    return adapterUs + this.#offsetUs();
  }

  #offsetUs(): number {
    return Math.min(this.#shortestUs, this.#previousUs);
  }

  #restart(): void {
    this.#shortestUs = Number.POSITIVE_INFINITY;
    this.#previousUs = Number.POSITIVE_INFINITY;
    this.#windowEndsUs = Number.NEGATIVE_INFINITY;
  }
}

/** Unix times of a socket's messages: never decreasing, never in the future. */
export class MessageTimes {
  lastUs = 0;
  readonly #kernel: KernelClock;
  #adapter = new AdapterClock();
  #readUs = 0;
  #isChecked = false;

  constructor(kernel: KernelClock) {
    this.#kernel = kernel;
  }

  get bracketUs(): number {
    return this.#kernel.bracketUs;
  }

  get nowUs(): number {
    return Math.max(this.lastUs, this.#kernel.nowUs);
  }

  advance(): number {
    this.lastUs = this.nowUs;
    return this.lastUs;
  }

  restart(): void {
    this.#adapter = new AdapterClock();
  }

  beginBatch(): void {
    this.#kernel.follow();
    this.#readUs = this.#kernel.nowUs;
    this.#isChecked = false;
  }

  /** Unix time from both timestamps, each 0 if missing. */
  unixUs(kernelUs: number, adapterUs: number): number {
    let atUs = kernelUs > 0 ? this.#ofKernel(kernelUs) : this.nowUs;
    if (adapterUs > 0) atUs = Math.floor(this.#adapter.unixUs(adapterUs, atUs));
    if (atUs > this.lastUs) this.lastUs = atUs;
    return this.lastUs;
  }

  #ofKernel(kernelUs: number): number {
    const atUs = Math.floor(kernelUs + this.#kernel.offsetUs);
    if (atUs >= this.lastUs && atUs <= this.#readUs) return atUs;
    if (!this.#isChecked) {
      // Once per batch.
      this.#isChecked = true;
      this.#kernel.check();
    }
    return Math.min(Math.floor(kernelUs + this.#kernel.offsetUs), this.#readUs);
  }
}

/**
 * Frames in the layout of a raw CAN socket, in reused memory. A slot has room for the longer of two
 * layouts, which are distinguished by the number of bytes used:
 *
 *     offset   struct can_frame, 16     struct canfd_frame, 72
 *          0   identifier and its flags, 32 bits in machine byte order
 *          4   length                   length
 *          5   0                        flags: 1 bit rate switch, 2 error state, 4 CAN FD
 *          7   DLC from 9 to 15, or 0   0
 *          8   up to 8 bytes            up to 64 bytes
 *
 * Machine byte order is little-endian wherever Node runs.
 */

export const classicFrameBytes = 16;
export const fdFrameBytes = 72;
export const rawSlotBytes = fdFrameBytes;

const lengthAt = 4;
const fdFlagsAt = 5;
const rawDlcAt = 7;
export const rawDataAt = 8;

const maxClassicLength = 8;

export const rawIdFlag = {
  extended: 0x8000_0000,
  remote: 0x4000_0000,
  error: 0x2000_0000,
} as const;

export const extendedIdMask = 0x1fff_ffff;
const standardIdMask = 0x7ff;

const fdFlag = { bitRateSwitch: 1, errorState: 2, flexible: 4 } as const;

export class RawFrames {
  readonly bytes: Uint8Array;
  readonly #ids: Uint32Array;

  constructor(buffer: ArrayBuffer, at: number, slots: number) {
    this.bytes = new Uint8Array(buffer, at, slots * rawSlotBytes);
    this.#ids = new Uint32Array(buffer, at, (slots * rawSlotBytes) / 4);
  }

  write(
    slot: number,
    id: number,
    flags: number,
    dlc: number,
    data: Uint8Array,
    offset: number,
    length: number,
  ): number {
    const { bytes } = this;
    const at = slot * rawSlotBytes;
    const isFd = (flags & frameFlag.fd) !== 0;
    let word = id;
    if ((flags & frameFlag.extended) !== 0) word |= rawIdFlag.extended;
    if ((flags & frameFlag.remote) !== 0) word |= rawIdFlag.remote;
    this.#ids[at >> 2] = word;
    bytes[at + lengthAt] = (flags & frameFlag.remote) !== 0 ? dlcToLength(dlc, false) : length;
    let fdFlags = 0;
    if (isFd) {
      fdFlags = fdFlag.flexible;
      if ((flags & frameFlag.brs) !== 0) fdFlags |= fdFlag.bitRateSwitch;
      if ((flags & frameFlag.esi) !== 0) fdFlags |= fdFlag.errorState;
    }
    bytes[at + fdFlagsAt] = fdFlags;
    bytes[at + fdFlagsAt + 1] = 0;
    bytes[at + rawDlcAt] = !isFd && dlc > maxClassicLength ? dlc : 0;
    const from = at + rawDataAt;
    for (let i = 0; i < length; i++) bytes[from + i] = data[offset + i] as number;
    const used = isFd ? fdFrameBytes : classicFrameBytes;
    // Old memory contents must not leak.
    for (let i = from + length; i < at + used; i++) bytes[i] = 0;
    return used;
  }

  word(slot: number): number {
    return this.#ids[(slot * rawSlotBytes) >> 2] as number;
  }

  id(slot: number): number {
    const word = this.word(slot);
    return word & ((word & rawIdFlag.extended) !== 0 ? extendedIdMask : standardIdMask);
  }

  isError(slot: number): boolean {
    return (this.word(slot) & rawIdFlag.error) !== 0;
  }

  flags(slot: number, used: number): number {
    const word = this.word(slot);
    let flags = 0;
    if ((word & rawIdFlag.extended) !== 0) flags |= frameFlag.extended;
    if ((word & rawIdFlag.remote) !== 0) flags |= frameFlag.remote;
    if (used !== fdFrameBytes) return flags;
    const fdFlags = this.bytes[slot * rawSlotBytes + fdFlagsAt] as number;
    flags |= frameFlag.fd;
    if ((fdFlags & fdFlag.bitRateSwitch) !== 0) flags |= frameFlag.brs;
    if ((fdFlags & fdFlag.errorState) !== 0) flags |= frameFlag.esi;
    return flags;
  }

  length(slot: number, used: number): number {
    const length = this.#givenLength(slot, used);
    if ((this.word(slot) & rawIdFlag.remote) !== 0) return 0;
    return used === fdFrameBytes ? dlcToLength(lengthToDlc(length, true), true) : length;
  }

  dlc(slot: number, used: number): number {
    const length = this.#givenLength(slot, used);
    if (used === fdFrameBytes) return lengthToDlc(length, true);
    const raw = this.bytes[slot * rawSlotBytes + rawDlcAt] as number;
    return length === maxClassicLength && raw > maxClassicLength && raw <= 15 ? raw : length;
  }

  dataOffset(slot: number): number {
    return slot * rawSlotBytes + rawDataAt;
  }

  equals(slot: number, others: RawFrames, other: number, used: number): boolean {
    if (this.word(slot) !== others.word(other)) return false;
    const length = this.length(slot, used);
    if (length !== others.length(other, used)) return false;
    const from = slot * rawSlotBytes + rawDataAt;
    const otherFrom = other * rawSlotBytes + rawDataAt;
    for (let i = 0; i < length; i++) {
      if (this.bytes[from + i] !== others.bytes[otherFrom + i]) return false;
    }
    return true;
  }

  #givenLength(slot: number, used: number): number {
    const length = this.bytes[slot * rawSlotBytes + lengthAt] as number;
    return Math.min(length, used - rawDataAt);
  }
}

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

  busUs(bitrate: number, dataBitrate: number): number {
    const { flags, id, dlc, data, offset } = this;
    return canFrameUs(flags, id, dlc, data, offset, bitrate, dataBitrate);
  }
}
