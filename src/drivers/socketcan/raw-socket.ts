import { constants } from 'node:os';
import { canControllerError, canErrorClass, canErrorLength } from '../../frame/can-error-frame.ts';
import { eventStatus } from '../event-status.ts';
import type { PortReporter } from '../port-reporter.ts';
import { type CanCalls, callFailed } from './can-calls.ts';
import { RawFrames, rawSlotBytes } from './raw-frame.ts';

export class SocketDrops {
  readonly #reporter: PortReporter;
  readonly #details = new Uint8Array(canErrorLength);
  readonly #view = new DataView(this.#details.buffer);
  #reported = 0;

  constructor(reporter: PortReporter) {
    this.#reporter = reporter;
  }

  get reported(): number {
    return this.#reported;
  }

  restart(): void {
    this.#reported = 0;
  }

  note(drops: number, atUs: number): number {
    const missing = (drops - this.#reported) >>> 0;
    // An earlier message reports fewer drops.
    if (missing === 0 || missing > 0x7fff_ffff) return 0;
    this.#reported = drops;
    this.#details[1] = canControllerError.rxOverflow;
    this.#view.setUint32(4, missing);
    this.#reporter.canState(canErrorClass.controller, eventStatus.overrun, this.#details, atUs);
    return missing;
  }
}

/**
 * Memory that `recvmmsg` fills and that is read in place. One buffer contains one block of each kind
 * for all messages:
 *
 *     mmsghdr    64   pointers to iovec and control data; after receiving: flags, length
 *     iovec      16   pointer to the frame, and its size
 *     frame      72
 *     control    96   control messages: timestamps, and the total number of dropped messages
 *
 * Offsets are those of 64-bit little-endian machines.
 */
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
const stampLength = control.data + 3 * 16;
const adapterStamp = 32;

const messageFlag = { ownEcho: 0x800, fromHere: 0x04 } as const;

/** Many frames per call, but few enough for one turn. */
const defaultCapacity = 128;

const setAddress = (view: DataView, at: number, address: bigint): void =>
  view.setBigUint64(at, address, true);

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
  /** Timestamps of the current message in microseconds, or 0. */
  kernelUs = 0;
  adapterUs = 0;
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

  /** Messages received. Their control data is parsed before the next receive. */
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

  isOwnEcho(index: number): boolean {
    const flags = this.#words[(index * headerBytes + header.flags) >> 2] as number;
    return (flags & messageFlag.ownEcho) !== 0;
  }

  /** Returns the end of the frames from other senders without new drops. */
  runFrom(from: number, end: number, drops: number): number {
    let at = from;
    while (at < end && this.#isPlain(at, drops)) at++;
    return at - from;
  }

  #isPlain(index: number, drops: number): boolean {
    if (this.isOwnEcho(index)) return false;
    const length = this.#words[(index * headerBytes + header.controlLength) >> 2] as number;
    // After a drop, all later messages report it after their timestamps.
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

const canFamily = 29;
const rawType = 3;
const rawProtocol = 1;
const nonblockingClosedOnExec = 0o4000 | 0o2000000;

const rawLevel = 101;

const socketOption = {
  receiveBuffer: 8,
  receiveBufferForced: 33,
  timestamping: 37,
  dropCount: 40,
  memory: 55,
} as const;

const rawOption = { filter: 1, errorFilter: 2, ownMessages: 4, fdFrames: 5 } as const;

const stamps = 0x04 | 0x08 | 0x10 | 0x40;
const allErrors = 0x1fff_ffff;

/** Room for about 40,000 frames. */
export const defaultReceiveBuffer = 32 * 1024 * 1024;

const addressBytes = 24;

const everything = Uint32Array.of(0, 0);

const memoryWords = 9;
const memoryAt = { sending: 2, drops: 8 } as const;

const wordBytes = (value: number): Uint8Array => new Uint8Array(Uint32Array.of(value).buffer);

export const interfaceAddress = (index: number): Uint8Array => {
  const bytes = new Uint8Array(addressBytes);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, canFamily, true);
  view.setInt32(4, index, true);
  return bytes;
};

export type SocketError =
  /** Nothing available, or no room. */
  'again' | 'down' | 'refused';

const socketErrors = new Map<number, SocketError>([
  [constants.errno.EAGAIN, 'again'],
  [constants.errno.EINTR, 'again'],
  [constants.errno.ENOBUFS, 'again'],
  [constants.errno.ENETDOWN, 'down'],
  [constants.errno.ENODEV, 'down'],
  [constants.errno.ENXIO, 'down'],
  [constants.errno.EBADF, 'down'],
]);

export interface RawSocketOptions {
  readonly calls: CanCalls;
  readonly name: string;
  readonly index: number;
  readonly fd: boolean;
  readonly filters: Uint32Array | undefined;
  readonly receiveBuffer: number;
}

/** A raw socket on one interface. Calls neither block nor allocate. */
export class RawSocket {
  readonly batch: MessageBatch;
  readonly #calls: CanCalls;
  readonly #fd: number;
  readonly #name: string;
  readonly #memory = new Uint32Array(memoryWords);
  readonly #memoryBytes = new Uint8Array(this.#memory.buffer);
  readonly #memoryLength = new Uint32Array(1);
  #watch: { close(): void } | undefined;
  #isClosed = false;

  constructor({ calls, name, index, fd: hasFd, filters, receiveBuffer }: RawSocketOptions) {
    this.#calls = calls;
    this.#name = name;
    this.#fd = calls.socket(canFamily, rawType | nonblockingClosedOnExec, rawProtocol);
    if (this.#fd < 0) throw callFailed('socket', calls.errno(), name);
    this.batch = new MessageBatch((buffer) => calls.addressOf(buffer));
    try {
      this.#set(socketLevel, socketOption.timestamping, wordBytes(stamps));
      this.#set(socketLevel, socketOption.dropCount, wordBytes(1));
      const size = wordBytes(receiveBuffer);
      // Exceeds the system limit if privileged.
      if (calls.setOption(this.#fd, socketLevel, socketOption.receiveBufferForced, size) !== 0) {
        this.#set(socketLevel, socketOption.receiveBuffer, size);
      }
      this.#set(rawLevel, rawOption.errorFilter, wordBytes(allErrors));
      this.#set(rawLevel, rawOption.ownMessages, wordBytes(1));
      if (hasFd) this.#set(rawLevel, rawOption.fdFrames, wordBytes(1));
      if (filters) this.setFilters(filters);
      if (calls.bind(this.#fd, interfaceAddress(index), addressBytes) !== 0) {
        throw callFailed('bind', calls.errno(), name);
      }
    } catch (thrown) {
      calls.close(this.#fd);
      throw thrown;
    }
  }

  watch(onEvent: () => void): void {
    try {
      this.#watch = this.#calls.watch(this.#fd, this.#name, onEvent);
    } catch (thrown) {
      this.close();
      throw thrown;
    }
  }

  setFilters(filters: Uint32Array = everything): void {
    const bytes = new Uint8Array(filters.buffer, filters.byteOffset, filters.byteLength);
    this.#set(rawLevel, rawOption.filter, bytes);
  }

  /** Fills the batch. Returns the number of messages, or undefined on an error. */
  receive(): number | undefined {
    const { batch } = this;
    const count = this.#calls.receive(this.#fd, batch.address, batch.capacity);
    if (count < 0) return undefined;
    batch.received(count);
    return count;
  }

  /** Sends messages. Returns the number accepted, or undefined on an error. */
  send(address: bigint, count: number): number | undefined {
    const sent = this.#calls.send(this.#fd, address, count);
    return sent < 0 ? undefined : sent;
  }

  get error(): SocketError {
    return socketErrors.get(this.#calls.errno()) ?? 'refused';
  }

  readMemory(): boolean {
    if (this.#isClosed) return false;
    this.#memoryLength[0] = this.#memory.byteLength;
    const outcome = this.#calls.getOption(
      this.#fd,
      socketLevel,
      socketOption.memory,
      this.#memoryBytes,
      this.#memoryLength,
    );
    return outcome === 0;
  }

  get drops(): number {
    return this.#memory[memoryAt.drops] as number;
  }

  get isSending(): boolean {
    return (this.#memory[memoryAt.sending] as number) > 0;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#watch?.close();
    this.#calls.close(this.#fd);
  }

  #set(level: number, option: number, value: Uint8Array): void {
    if (this.#calls.setOption(this.#fd, level, option, value) === 0) return;
    throw callFailed(`setsockopt ${level} ${option}`, this.#calls.errno(), this.#name);
  }
}
