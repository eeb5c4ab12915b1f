import { constants } from 'node:os';
import { type CanCalls, callFailed } from './can-calls.ts';
import { MessageBatch } from './message-batch.ts';

const canFamily = 29;
const rawType = 3;
const rawProtocol = 1;
const nonblockingClosedOnExec = 0o4000 | 0o2000000;

const socketLevel = 1;
const rawLevel = 101;

const socketOption = {
  receiveBuffer: 8,
  receiveBufferForced: 33,
  timestamping: 37,
  dropCount: 40,
  memory: 55,
} as const;

const rawOption = { filter: 1, errorFilter: 2, ownMessages: 4, fdFrames: 5 } as const;

/** Receive stamps of kernel and adapter. */
const stamps = 0x04 | 0x08 | 0x10 | 0x40;
const allErrors = 0x1fff_ffff;

/** About 40,000 frames. */
export const defaultReceiveBuffer = 32 * 1024 * 1024;

const addressBytes = 24;

/** Matches everything. */
const everything = Uint32Array.of(0, 0);

/** Words of SO_MEMINFO. */
const memoryWords = 9;
const memoryAt = { sending: 2, drops: 8 } as const;

const wordBytes = (value: number): Uint8Array => new Uint8Array(Uint32Array.of(value).buffer);

/** Socket address of an interface. */
export const interfaceAddress = (index: number): Uint8Array => {
  const bytes = new Uint8Array(addressBytes);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, canFamily, true);
  view.setInt32(4, index, true);
  return bytes;
};

/** Why a socket call failed. */
export type SocketError =
  /** Nothing available, or no room. */
  | 'again'
  /** The interface is down or gone. */
  | 'down'
  /** The interface does not accept the frame. */
  | 'refused';

const troubles = new Map<number, SocketError>([
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
  /** Id and mask pairs; undefined for all. */
  readonly filters: Uint32Array | undefined;
  readonly receiveBuffer: number;
}

/** A raw socket on one interface. Calls neither wait nor allocate. */
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
      // Above the limit with a privilege, else up to it.
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

  /** Calls back when readable or down. Closed if it cannot be watched. */
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

  /** Fills the batch; returns the number of messages, undefined on an error. */
  receive(): number | undefined {
    const { batch } = this;
    const count = this.#calls.receive(this.#fd, batch.address, batch.capacity);
    if (count < 0) return undefined;
    batch.received(count);
    return count;
  }

  /** Sends messages; returns how many were taken, undefined on an error. */
  send(address: bigint, count: number): number | undefined {
    const sent = this.#calls.send(this.#fd, address, count);
    return sent < 0 ? undefined : sent;
  }

  /** Reason of the last failure. */
  get error(): SocketError {
    return troubles.get(this.#calls.errno()) ?? 'refused';
  }

  /** Reads drops and own bytes in flight. */
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

  /** Whether own frames are in flight. */
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
