import type { Scratch } from '../../base/scratch-pool.ts';
import type { GapEvent } from '../../frame/event-record.ts';

/** What a client is told about what it can still get. */
interface Bounds {
  readonly oldestAvailable: number;
  readonly newestAvailable: number;
}

/** Room kept for one short text, such as a gap with the largest numbers. */
const longestText = 256;

/** The size of a chunk has leading zeros, so that it has its place before it is known. */
const sizeDigits = 8;
const lineEnd = '\r\n';
const chunkHead = sizeDigits + lineEnd.length;
const chunkTail = lineEnd.length;

/** Server-sent events one behind the other, in one chunk of an HTTP body. */
export class ChunkBatch {
  readonly scratch: Scratch;
  /** Where the next event is written. */
  protected length = chunkHead;
  #largestRoom = 0;

  constructor(scratch: Scratch) {
    this.scratch = scratch;
  }

  /** Where the events begin. */
  get start(): number {
    return chunkHead;
  }

  get end(): number {
    return this.length;
  }

  /** Whether there is room for another event like those so far, and a short text. */
  get hasRoom(): boolean {
    return this.fits(this.#largestRoom + longestText);
  }

  addGap({ oldestAvailable, newestAvailable }: Bounds, missed: number | null): void {
    const gap: GapEvent = {
      oldest_available: oldestAvailable,
      newest_available: newestAvailable,
      missed,
    };
    const data = JSON.stringify(gap);
    this.addText(`id: ${oldestAvailable - 1}\nevent: gap\ndata: ${data}\n\n`);
  }

  /** Writes a short text of ASCII as it is. */
  addText(text: string): void {
    this.length += this.scratch.bytes.write(text, this.length, 'latin1');
  }

  /** Completes the chunk around the events, from 0 to where the answer says. */
  sealChunk(): number {
    const { bytes } = this.scratch;
    const size = this.length - chunkHead;
    bytes.write(size.toString(16).padStart(sizeDigits, '0') + lineEnd, 0, 'latin1');
    return this.length + bytes.write(lineEnd, this.length, 'latin1');
  }

  protected fits(room: number): boolean {
    return this.length + room + chunkTail <= this.scratch.bytes.length;
  }

  /** An event was written that up to so many bytes were set aside for. */
  protected grownTo(length: number, room: number): void {
    this.length = length;
    if (room > this.#largestRoom) this.#largestRoom = room;
  }
}
