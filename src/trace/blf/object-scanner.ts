import type { ReaderStats } from '../reader-stats.ts';
import {
  baseHeaderSize,
  container,
  maxObjectType,
  objectHeader,
  objectMagic,
  objectType,
  timedHeaderSize,
} from './blf-layout.ts';
import type { ByteWindow } from './byte-window.ts';
import { maxTextLength } from './channel-names.ts';

const { logContainer, appText, eventComment, ...eventTypes } = objectType;

const isEvent = new Uint8Array(maxObjectType + 1);

for (const type of Object.values(eventTypes)) isEvent[type] = 1;

const isEventType = (type: number): boolean => isEvent[type] === 1;

/** Decoders read no further into a body. */
const maxBodyLength = 192;

/** Events are small. A larger one is damaged, and following its size would lose others. */
const maxEventSize = 0x1000;

const maxPassedSize = 0x100_0000;

const neededOf = (headerSize: number, size: number, type: number): number => {
  if (isEventType(type)) return Math.min(size, headerSize + maxBodyLength);
  if (type === logContainer) return headerSize + container.data;
  const isText = type === appText || type === eventComment;
  return isText ? Math.min(size, headerSize + maxTextLength) : baseHeaderSize;
};

const errorOfHeader = (headerSize: number, size: number, type: number): string | undefined => {
  if (headerSize < baseHeaderSize) return `An object claims a header of ${headerSize} bytes`;
  if (size < headerSize) return `An object of ${size} bytes claims a header of ${headerSize}`;
  if (type > maxObjectType) return `An object claims the type ${type}`;
  if (type === logContainer) {
    return size < headerSize + container.data ? `A container claims ${size} bytes` : undefined;
  }
  if (!isEventType(type)) {
    return size > maxPassedSize ? `An object of type ${type} claims ${size} bytes` : undefined;
  }
  if (headerSize < timedHeaderSize) return `An event of type ${type} has no timestamp`;
  return size > maxEventSize ? `An event of type ${type} claims ${size} bytes` : undefined;
};

const magicSize = 4;
const magicBytes = new TextEncoder().encode('LOBJ');
/** The format allows at most three bytes; not every writer complies. */
const maxPadding = 8;

/** Returns whether the bytes there are the start of an object, as far as they go before `end`. */
const isMagic = (bytes: Uint8Array, at: number, end: number): boolean => {
  for (let i = 0; i < magicSize && at + i < end; i++) {
    if (bytes[at + i] !== magicBytes[i]) return false;
  }
  return true;
};

/** Offset of the next whole start of an object; -1 without one. */
const findMagic = (bytes: Uint8Array, from: number): number => {
  const [first = 0] = magicBytes;
  let at = bytes.indexOf(first, from);
  while (at >= 0 && !(at + magicSize <= bytes.length && isMagic(bytes, at, bytes.length))) {
    at = bytes.indexOf(first, at + 1);
  }
  return at;
};

const isNul = (bytes: Uint8Array): boolean => {
  for (let at = 0; at < bytes.length; at++) if (bytes[at] !== 0) return false;
  return true;
};

/**
 * Finds one object after another in a stream of pieces. Anything else is an error, and the
 * search continues. An object is returned as soon as the part that decoders read is available,
 * so even a huge one needs little memory.
 */
export class ObjectScanner {
  readonly window: ByteWindow;
  containerAt: number | null = null;
  at = 0;
  headerSize = 0;
  size = 0;
  type = 0;
  readonly #account: ReaderStats;
  #left = 0;
  #isLost = false;
  #nulAt = -1;

  constructor(window: ByteWindow, account: ReaderStats) {
    this.window = window;
    this.#account = account;
  }

  get left(): number {
    return this.#left;
  }

  next(): boolean {
    const { window } = this;
    for (;;) {
      if (this.#left > 0) this.use(Math.min(this.#left, window.available));
      if (this.#left > 0 || window.available < baseHeaderSize) return false;
      if (window.view.getUint32(window.start, true) !== objectMagic) {
        if (!this.#seek()) return false;
        continue;
      }
      if (!this.#readHeader()) continue;
      if (window.available < neededOf(this.headerSize, this.size, this.type)) return false;
      this.#isLost = false;
      this.#nulAt = -1;
      this.#left = this.size;
      return true;
    }
  }

  use(count: number): void {
    this.window.start += count;
    this.#left -= count;
  }

  /** Rejects the current object and searches after its magic. */
  distrust(message: string): void {
    this.error(message);
    this.#isLost = true;
    this.#left = 0;
    this.window.start = this.at + magicSize;
  }

  /** The current object is shorter than claimed (already counted): searches for the next one. */
  leave(): void {
    this.#isLost = true;
    this.#left = 0;
  }

  /** Part of the stream is missing; an object begun before the gap cannot be completed. */
  interrupt(): void {
    this.window.clear();
    this.#left = 0;
    this.#isLost = true;
  }

  error(message: string): void {
    this.#account.error(this.containerAt ?? this.window.offsetOf(this.at), message);
  }

  finish(): void {
    const { window } = this;
    const rest = window.available;
    const isCut =
      this.#left > 0 ||
      rest >= baseHeaderSize ||
      this.#isNulTail ||
      (!this.#isLost && this.#beginsObject());
    if (isCut) this.#account.truncated = true;
    else if (rest > maxPadding && !this.#isLost) this.#lose();
    window.clear();
    this.#left = 0;
  }

  #readHeader(): boolean {
    const { view, start } = this.window;
    this.at = start;
    this.headerSize = view.getUint16(start + objectHeader.headerSize, true);
    this.size = view.getUint32(start + objectHeader.size, true);
    this.type = view.getUint32(start + objectHeader.type, true);
    const error = this.#errorOfHeader();
    if (error === undefined) return true;
    // Only one error is reported per invalid stretch.
    if (!this.#isLost) this.error(error);
    this.#isLost = true;
    this.window.start += magicSize;
    return false;
  }

  #errorOfHeader(): string | undefined {
    if (this.containerAt !== null && this.type === objectType.logContainer) {
      return 'A container is inside another';
    }
    return errorOfHeader(this.headerSize, this.size, this.type);
  }

  #seek(): boolean {
    const { window } = this;
    const { view, start } = window;
    for (let padding = 1; padding <= maxPadding; padding++) {
      if (view.getUint32(start + padding, true) !== objectMagic) continue;
      if (this.#nulAt >= 0) this.#loseAt(this.#nulAt);
      window.start += padding;
      return true;
    }
    if (this.#passNul()) return false;
    if (!this.#isLost) this.#lose();
    const found = findMagic(window.bytes.subarray(0, window.end), start);
    window.start = found < 0 ? window.end - (magicSize - 1) : found;
    return found >= 0;
  }

  /**
   * Skips NUL bytes, which are an error only if data follows: a file system that lost the end
   * of a file leaves NUL.
   */
  #passNul(): boolean {
    const { window } = this;
    if (this.#isLost) return false;
    if (!isNul(window.bytes.subarray(window.start, window.end))) {
      if (this.#nulAt >= 0) this.#loseAt(this.#nulAt);
      return false;
    }
    if (this.#nulAt < 0) this.#nulAt = window.offsetOf(window.start);
    window.start = window.end - maxPadding;
    return true;
  }

  get #isNulTail(): boolean {
    const { bytes, start, end, available } = this.window;
    const isMore = this.#nulAt >= 0 || available > maxPadding;
    return isMore && !this.#isLost && isNul(bytes.subarray(start, end));
  }

  #lose(): void {
    this.#loseAt(this.window.offsetOf(this.window.start));
  }

  #loseAt(offset: number): void {
    this.#account.error(this.containerAt ?? offset, 'No object begins here');
    this.#isLost = true;
    this.#nulAt = -1;
  }

  #beginsObject(): boolean {
    const { bytes, start, end } = this.window;
    for (let at = start; at < Math.min(end, start + maxPadding + 1); at++) {
      if (isMagic(bytes, at, end)) return true;
    }
    return false;
  }
}
