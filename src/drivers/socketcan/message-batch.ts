/**
 * Memory that `recvmmsg` fills and that is read in place. One buffer holds, for every message, in
 * blocks of their own:
 *
 *     mmsghdr    64   where its data and control data go, and what came: flags, bytes
 *     iovec      16   where the frame goes, and its room
 *     frame      72
 *     control    96   control messages: stamps, and how many messages were dropped so far
 *
 * Offsets are those of 64-bit machines, with the lower half of a word first.
 */
import { RawFrames, rawSlotBytes } from './raw-frame.ts';

export const headerBytes = 64;
export const vectorBytes = 16;
const controlBytes = 96;

const header = {
  vector: 16,
  vectors: 24,
  control: 32,
  controlLength: 40,
  flags: 48,
  used: 56,
} as const;

/** Control message: length, level, type, data and alignment. */
const control = { length: 0, level: 8, type: 12, data: 16, alignment: 8 } as const;
const socketLevel = 1;
const stampType = 37;
const dropType = 40;
/** Control message with three times. */
const stampLength = control.data + 3 * 16;
/** Offset of the adapter's time. */
const adapterStamp = 32;

const messageFlag = { ownEcho: 0x800, fromHere: 0x04 } as const;

/** Many frames per call, few enough for one turn. */
const defaultCapacity = 128;

const setAddress = (view: DataView, at: number, address: bigint): void =>
  view.setBigUint64(at, address, true);

/** Writes a header with one vector and one slot. */
export const pointMessage = (
  view: DataView,
  base: bigint,
  headerAt: number,
  vectorAt: number,
  slotAt: number,
): void => {
  setAddress(view, headerAt + header.vector, base + BigInt(vectorAt));
  view.setUint32(headerAt + header.vectors, 1, true);
  setAddress(view, vectorAt, base + BigInt(slotAt));
  view.setUint32(vectorAt + 8, rawSlotBytes, true);
};

export class MessageBatch {
  readonly capacity: number;
  readonly address: bigint;
  readonly frames: RawFrames;
  /** Kernel stamps of the current message in microseconds, or 0. */
  kernelUs = 0;
  adapterUs = 0;
  /** Reported drops before it, or 0. */
  drops = 0;
  readonly #words: Uint32Array;
  readonly #controlAt: number;

  constructor(addressOf: (buffer: ArrayBuffer) => bigint, capacity = defaultCapacity) {
    this.capacity = capacity;
    const vectorsAt = capacity * headerBytes;
    const framesAt = vectorsAt + capacity * vectorBytes;
    this.#controlAt = framesAt + capacity * rawSlotBytes;
    const buffer = new ArrayBuffer(this.#controlAt + capacity * controlBytes);
    this.#words = new Uint32Array(buffer);
    this.frames = new RawFrames(buffer, framesAt, capacity);
    this.address = addressOf(buffer);
    const view = new DataView(buffer);
    for (let i = 0; i < capacity; i++) {
      const at = i * headerBytes;
      const slotAt = framesAt + i * rawSlotBytes;
      pointMessage(view, this.address, at, vectorsAt + i * vectorBytes, slotAt);
      setAddress(view, at + header.control, this.address + BigInt(this.#controlOf(i)));
      view.setUint32(at + header.controlLength, controlBytes, true);
    }
  }

  /** Messages received; their control data is parsed before the next receive. */
  received(count: number): void {
    this.#count = count;
  }

  #count = 0;

  get count(): number {
    return this.#count;
  }

  used(index: number): number {
    return this.#words[(index * headerBytes + header.used) >> 2] as number;
  }

  /** Whether this socket sent it. */
  isOwnEcho(index: number): boolean {
    const flags = this.#words[(index * headerBytes + header.flags) >> 2] as number;
    return (flags & messageFlag.ownEcho) !== 0;
  }

  /** Frames of other senders without new drops, from an index. */
  runFrom(from: number, end: number, drops: number): number {
    let at = from;
    while (at < end && this.#isPlain(at, drops)) at++;
    return at - from;
  }

  #isPlain(index: number, drops: number): boolean {
    if (this.isOwnEcho(index)) return false;
    const length = this.#words[(index * headerBytes + header.controlLength) >> 2] as number;
    // After a drop, all later messages report it after their stamps.
    if (length !== stampLength && length !== 0 && !this.#hasDrops(index, length, drops))
      return false;
    return !this.frames.isError(index);
  }

  #hasDrops(index: number, length: number, drops: number): boolean {
    const at = this.#controlOf(index) + stampLength;
    if (length < stampLength + control.data + 4) return false;
    const words = this.#words;
    return (
      words[(at + control.type) >> 2] === dropType && words[(at + control.data) >> 2] === drops
    );
  }

  /** Reads stamps and drops, and resets the header. */
  look(index: number): void {
    const words = this.#words;
    const lengthAt = (index * headerBytes + header.controlLength) >> 2;
    const start = this.#controlOf(index);
    const end = start + (words[lengthAt] as number);
    words[lengthAt] = controlBytes;
    this.kernelUs = 0;
    this.adapterUs = 0;
    this.drops = 0;
    for (let at = start; at + control.data <= end; ) {
      const length = words[(at + control.length) >> 2] as number;
      if (length < control.data) return;
      if (words[(at + control.level) >> 2] === socketLevel) this.#take(at);
      at += (length + control.alignment - 1) & -control.alignment;
    }
  }

  #take(at: number): void {
    const words = this.#words;
    const type = words[(at + control.type) >> 2];
    const dataAt = at + control.data;
    if (type === dropType) {
      this.drops = words[dataAt >> 2] as number;
    } else if (type === stampType) {
      this.kernelUs = this.#timeUs(dataAt);
      this.adapterUs = this.#timeUs(dataAt + adapterStamp);
    }
  }

  #timeUs(at: number): number {
    const words = this.#words;
    const index = at >> 2;
    const seconds = (words[index + 1] as number) * 2 ** 32 + (words[index] as number);
    return seconds * 1e6 + Math.floor((words[index + 2] as number) / 1e3);
  }

  #controlOf(index: number): number {
    return this.#controlAt + index * controlBytes;
  }
}
