import { ChunkBatch } from './chunk-batch.ts';

/** Room that is left for what ends a chunk. */
const reserve = 16;

/** Server-sent events that may go over several batches. */
export class TextBatch extends ChunkBatch {
  /** Writes as many bytes from an offset on as there is room for; says how many. */
  addBytes(bytes: Buffer, offset: number): number {
    const room = this.scratch.bytes.length - reserve - this.length;
    const written = bytes.copy(this.scratch.bytes, this.length, offset, offset + room);
    this.length += written;
    return written;
  }
}
