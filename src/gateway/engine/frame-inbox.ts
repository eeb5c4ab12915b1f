import { lowerHalf } from '../values/cells.ts';
import type { InputMessage } from './input-message.ts';

const maxBytes = 64;
const initialCapacity = 256;

/** The order that bytes of words have here: copied so, bytes stay where they are. */
const isLittleEndian = lowerHalf === 0;

/** Frames that were received and wait for the next round, copied: the driver's memory is its own. */
export class FrameInbox {
  size = 0;
  /** Of one frame after the other, 64 bytes each. */
  bytes = new Uint8Array(initialCapacity * maxBytes);
  #words = new Int32Array(this.bytes.buffer);
  #messages: (InputMessage | null)[] = new Array<InputMessage | null>(initialCapacity).fill(null);
  #lengths = new Int16Array(initialCapacity);
  #times = new Float64Array(initialCapacity);

  /** Adds a frame whose bytes begin at `at`; a length below 0 is a remote frame. */
  add(message: InputMessage, record: DataView, at: number, length: number, atUs: number): void {
    if (this.size === this.#messages.length) this.#grow();
    const { size } = this;
    const first = size * maxBytes;
    let index = 0;
    for (; index + 4 <= length; index += 4) {
      this.#words[(first + index) >> 2] = record.getInt32(at + index, isLittleEndian);
    }
    for (; index < length; index++) this.bytes[first + index] = record.getUint8(at + index);
    this.#messages[size] = message;
    this.#lengths[size] = length;
    this.#times[size] = atUs;
    this.size = size + 1;
  }

  messageAt(index: number): InputMessage {
    return this.#messages[index] as InputMessage;
  }

  /** Where the bytes of a frame are. */
  bytesAt(index: number): number {
    return index * maxBytes;
  }

  lengthAt(index: number): number {
    return this.#lengths[index] as number;
  }

  timeAt(index: number): number {
    return this.#times[index] as number;
  }

  clear(): void {
    this.size = 0;
  }

  #grow(): void {
    const capacity = 2 * this.#messages.length;
    const { bytes } = this;
    this.bytes = new Uint8Array(capacity * maxBytes);
    this.bytes.set(bytes);
    this.#words = new Int32Array(this.bytes.buffer);
    this.#lengths = grown(this.#lengths, new Int16Array(capacity));
    this.#times = grown(this.#times, new Float64Array(capacity));
    this.#messages = [...this.#messages, ...new Array<null>(capacity / 2).fill(null)];
  }
}

const grown = <Numbers extends Int16Array | Float64Array>(from: Numbers, to: Numbers): Numbers => {
  to.set(from);
  return to;
};
