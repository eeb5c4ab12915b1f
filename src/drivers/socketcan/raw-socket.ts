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

/** Stamps of receipt by the kernel and by the adapter, made and reported. */
const stamps = 0x04 | 0x08 | 0x10 | 0x40;
const allErrors = 0x1fff_ffff;

/** Holds some 40,000 frames, as many as a ring, while the thread is held up. */
export const defaultReceiveBuffer = 32 * 1024 * 1024;

const addressBytes = 24;

/** A filter whose mask asks for nothing. */
const everything = Uint32Array.of(0, 0);

/** Words of what a socket tells of its memory. */
const memoryWords = 9;
const memoryAt = { sending: 2, drops: 8 } as const;

const wordBytes = (value: number): Uint8Array => new Uint8Array(Uint32Array.of(value).buffer);

/** The address of an interface, as CAN sockets are bound to it. */
export const interfaceAddress = (index: number): Uint8Array => {
  const bytes = new Uint8Array(addressBytes);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, canFamily, true);
  view.setInt32(4, index, true);
  return bytes;
};

/** What a call on the socket came to, where it did not do what it was to. */
export type SocketTrouble =
  /** Nothing there, or no room. */
  | 'again'
  /** The interface is down or gone. */
  | 'down'
  /** The frame is none that the interface takes. */
  | 'refused';

const troubles = new Map<number, SocketTrouble>([
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
  /** Named in refusals. */
  readonly name: string;
  readonly index: number;
  readonly fd: boolean;
  /** Pairs of id and mask as the kernel has them; undefined lets everything pass. */
  readonly filters: Uint32Array | undefined;
  /** Bytes that the kernel keeps for us. */
  readonly receiveBuffer: number;
}

/** A raw socket on one CAN interface. Nothing waits, and no call allocates. */
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
      // Beyond the limit of the machine only with a privilege; without it, up to the limit.
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

  /**
   * Calls back whenever there is something to receive, or the interface is down. A socket that cannot
   * be watched is closed.
   */
  watch(onEvent: () => void): void {
    try {
      this.#watch = this.#calls.watch(this.#fd, this.#name, onEvent);
    } catch (thrown) {
      this.close();
      throw thrown;
    }
  }

  /** Pairs of id and mask as the kernel has them; undefined lets everything pass. */
  setFilters(filters: Uint32Array = everything): void {
    const bytes = new Uint8Array(filters.buffer, filters.byteOffset, filters.byteLength);
    this.#set(rawLevel, rawOption.filter, bytes);
  }

  /** Fills the batch and says with how many messages; undefined where there is trouble. */
  receive(): number | undefined {
    const { batch } = this;
    const count = this.#calls.receive(this.#fd, batch.address, batch.capacity);
    if (count < 0) return undefined;
    batch.received(count);
    return count;
  }

  /** Hands messages to the kernel and says how many it took; undefined where there is trouble. */
  send(address: bigint, count: number): number | undefined {
    const sent = this.#calls.send(this.#fd, address, count);
    return sent < 0 ? undefined : sent;
  }

  /** Why the call before gave nothing. */
  get trouble(): SocketTrouble {
    return troubles.get(this.#calls.errno()) ?? 'refused';
  }

  /** Messages for this socket that the kernel has dropped so far, and bytes of its own under way. */
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

  /** As of the last `readMemory`. */
  get drops(): number {
    return this.#memory[memoryAt.drops] as number;
  }

  /** Whether frames of its own are on their way, as of the last `readMemory`. */
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
