import { constants } from 'node:os';
import type { CanCalls } from '../can-calls.ts';
import { classicFrameBytes, rawSlotBytes } from '../raw-frame.ts';
import { headerBytes } from '../raw-socket.ts';

const header = { vector: 16, controlLength: 40, flags: 48, used: 56 } as const;
const ownEcho = 0x800;
const firstAddress = 0x1000_0000;
const addressStep = 0x0100_0000;

interface Message {
  readonly frame: Uint8Array;
  readonly isOwn: boolean;
}

/** A classic frame with the identifier and no data. */
const frameOf = (id: number): Uint8Array => {
  const frame = new Uint8Array(classicFrameBytes);
  new DataView(frame.buffer).setUint32(0, id, true);
  return frame;
};

/** A simulated kernel with CAN sockets. All sockets receive the same frames. */
export class FakeCanCalls implements CanCalls {
  /** Identifiers of the frames accepted by the kernel. */
  readonly sent: number[] = [];
  /** Messages to sockets of the broadcast manager. */
  readonly written: Uint8Array[] = [];
  readonly open = new Set<number>();
  /** Calls on sockets, in order. */
  readonly log: string[] = [];
  /** Names of the requested watches. */
  readonly watched: string[] = [];
  /** Socket options, as `level option`, with their bytes. */
  readonly options = new Map<string, Uint8Array>();
  /** Whether sent frames are echoed immediately. */
  echoes = true;
  /** Errors that the next calls of `receive` return first. */
  readonly errors: number[] = [];
  /** Thrown by `watch`. */
  watchFailure: Error | undefined;
  /** Errno of the next `write`; 0 for success. */
  writeErrno = 0;
  /** Result of the next `read`. */
  readonly readable: Uint8Array[] = [];
  readonly #arrived: Message[] = [];
  readonly #memory: { readonly at: number; readonly view: DataView }[] = [];
  readonly #watches = new Map<number, () => void>();
  #errno = 0;
  #lastFd = 10;

  arrive(...ids: readonly number[]): void {
    for (const id of ids) this.#arrived.push({ frame: frameOf(id), isOwn: false });
  }

  /** The frame was sent on the bus. */
  echo(id: number): void {
    this.#arrived.push({ frame: frameOf(id), isOwn: true });
  }

  /** Messages not yet received. */
  get waiting(): number {
    return this.#arrived.length;
  }

  /** The event loop notices that descriptors are readable. */
  notice(): void {
    for (const onEvent of [...this.#watches.values()]) onEvent();
  }

  socket(): number {
    this.#lastFd += 1;
    this.open.add(this.#lastFd);
    this.log.push('socket');
    return this.#lastFd;
  }

  bind(): number {
    return 0;
  }

  connect(): number {
    return 0;
  }

  setOption(_fd: number, level: number, option: number, value: Uint8Array): number {
    this.options.set(`${level} ${option}`, value.slice());
    return 0;
  }

  getOption(): number {
    return 0;
  }

  receive(_fd: number, at: bigint, count: number): number {
    const error = this.errors.shift();
    if (error !== undefined) return this.#fail(error);
    const messages = this.#arrived.splice(0, count);
    if (messages.length === 0) return this.#fail(constants.errno.EAGAIN);
    messages.forEach(({ frame, isOwn }, index) => {
      const { view, offset } = this.#locate(Number(at) + index * headerBytes);
      view.setUint32(offset + header.controlLength, 0, true);
      view.setUint32(offset + header.flags, isOwn ? ownEcho : 0, true);
      view.setUint32(offset + header.used, frame.length, true);
      this.#slotOf(view, offset).set(frame);
    });
    return messages.length;
  }

  send(_fd: number, at: bigint, count: number): number {
    for (let index = 0; index < count; index++) {
      const { view, offset } = this.#locate(Number(at) + index * headerBytes);
      const frame = this.#slotOf(view, offset).slice(0, classicFrameBytes);
      this.sent.push(new DataView(frame.buffer).getUint32(0, true));
      if (this.echoes) this.#arrived.push({ frame, isOwn: true });
    }
    return count;
  }

  write(_fd: number, bytes: Uint8Array, length: number): number {
    this.log.push('write');
    if (this.writeErrno !== 0) return this.#fail(this.writeErrno);
    this.written.push(bytes.slice(0, length));
    return length;
  }

  read(_fd: number, bytes: Uint8Array): number {
    const next = this.readable.shift();
    if (!next) return this.#fail(constants.errno.EAGAIN);
    bytes.set(next);
    return next.length;
  }

  close(fd: number): number {
    this.log.push('close');
    this.open.delete(fd);
    return 0;
  }

  systemTimeUs(): number {
    return 1;
  }

  addressOf(buffer: ArrayBuffer): bigint {
    const at = firstAddress + this.#memory.length * addressStep;
    this.#memory.push({ at, view: new DataView(buffer) });
    return BigInt(at);
  }

  errno(): number {
    return this.#errno;
  }

  watch(fd: number, device: string, onEvent: () => void): { close(): void } {
    this.log.push('watch');
    this.watched.push(device);
    if (this.watchFailure) throw this.watchFailure;
    this.#watches.set(fd, onEvent);
    return { close: () => void this.#watches.delete(fd) };
  }

  #fail(errno: number): number {
    this.#errno = errno;
    return -1;
  }

  #locate(address: number): { readonly view: DataView; readonly offset: number } {
    const { at, view } =
      this.#memory.find(({ at, view }) => address >= at && address < at + view.byteLength) ??
      this.#noMemory(address);
    return { view, offset: address - at };
  }

  #noMemory(address: number): never {
    throw new RangeError(`No memory at ${address}`);
  }

  /** Follows a header to its vector, and the vector to the frame. */
  #slotOf(view: DataView, headerAt: number): Uint8Array {
    const vector = this.#locate(Number(view.getBigUint64(headerAt + header.vector, true)));
    const slot = this.#locate(Number(vector.view.getBigUint64(vector.offset, true)));
    return new Uint8Array(slot.view.buffer, slot.offset, rawSlotBytes);
  }
}
