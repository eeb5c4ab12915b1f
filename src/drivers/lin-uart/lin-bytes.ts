import { linChecksum, maxLinLength, protectedId } from '../../frame/lin.ts';
import type { LinResponseTable } from '../lin/lin-response-table.ts';
import { type LinTxQueue, linAction } from '../lin/lin-tx-queue.ts';

export const syncByte = 0x55;
/** Sync field, PID, data and checksum. */
export const maxLinBytes = maxLinLength + 3;

export class LinBytes {
  readonly bytes = new Uint8Array(maxLinBytes);
  length = 0;

  setHeader({
    headAction,
    headId,
    headIsEnhanced,
    data,
    headOffset,
    headLength,
  }: LinTxQueue): void {
    this.length = 0;
    this.#add(syncByte);
    if (headAction === linAction.syncBreak) return;
    this.#add(protectedId(headId));
    if (headAction !== linAction.write) return;
    this.#addResponse(headId, headIsEnhanced, data, headOffset, headLength);
  }

  setResponse(responses: LinResponseTable, id: number): void {
    this.length = 0;
    const enhanced = responses.isEnhanced(id);
    const offset = responses.offsetOf(id);
    this.#addResponse(id, enhanced, responses.data, offset, responses.lengthOf(id));
  }

  setByte(byte: number): void {
    this.length = 0;
    this.#add(byte);
  }

  copy({ bytes, length }: LinBytes): void {
    for (let i = 0; i < length; i++) this.bytes[i] = bytes[i] as number;
    this.length = length;
  }

  #addResponse(
    id: number,
    enhanced: boolean,
    data: Uint8Array,
    offset: number,
    length: number,
  ): void {
    for (let i = offset; i < offset + length; i++) this.#add(data[i] as number);
    this.#add(linChecksum(enhanced, id, data, offset, length));
  }

  #add(byte: number): void {
    this.bytes[this.length++] = byte;
  }
}
