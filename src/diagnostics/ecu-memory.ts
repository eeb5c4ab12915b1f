import { maxResponse } from './ecu-dids.ts';
import type { EcuModel } from './ecu-model.ts';
import { rangeAt } from './memory-services.ts';
import { nrc } from './nrc.ts';
import { responseBit, sid } from './services.ts';

const defaultBlockLength = 4002;

interface Download {
  readonly address: number;
  readonly size: number;
  /** Bytes stored. */
  stored: number;
  /** Counter of the block that is expected next. */
  counter: number;
  isStarted: boolean;
}

/** Erased memory. */
const erased = 0xff;

/**
 * Memory of a server: 23 and 3D, and a download.
 *
 *     state        input                  response   next state
 *     idle         34                     74         transferring
 *                  36, 37                 24         idle
 *     transferring 34                     22         transferring
 *                  36, expected counter   76         transferring, block stored
 *                  36, previous counter   76         transferring, not stored again
 *                  36, other counter      73         transferring
 *                  36, beyond the size    31         transferring
 *                  37, all bytes stored   77         idle
 *                  37, earlier            24         transferring
 *     any          session, reset         -          idle
 */
export class EcuMemory {
  readonly bytes: Uint8Array;
  readonly #address: number;
  readonly #blockLength: number;
  #download: Download | null = null;

  constructor({ address, size, block_length: blockLength }: NonNullable<EcuModel['memory']>) {
    this.#address = address;
    this.#blockLength = blockLength ?? defaultBlockLength;
    this.bytes = new Uint8Array(size).fill(erased);
  }

  abort(): void {
    this.#download = null;
  }

  /** The response, or a negative response code. */
  request(request: Uint8Array): Uint8Array | number {
    switch (request[0]) {
      case sid.readMemory:
        return this.#read(request);
      case sid.writeMemory:
        return this.#write(request);
      case sid.download:
        return this.#begin(request);
      case sid.transfer:
        return this.#transfer(request);
      default:
        return this.#exit();
    }
  }

  #offsetOf({ address, size }: { address: number; size: number }): number | null {
    const offset = address - this.#address;
    return size > 0 && offset >= 0 && offset + size <= this.bytes.length ? offset : null;
  }

  #read(request: Uint8Array): Uint8Array | number {
    const range = rangeAt(request, 1);
    if (range === null || range.end !== request.length) return nrc.incorrectLength;
    const offset = this.#offsetOf(range);
    if (offset === null) return nrc.requestOutOfRange;
    if (1 + range.size > maxResponse) return nrc.responseTooLong;
    const response = new Uint8Array(1 + range.size);
    response[0] = sid.readMemory | responseBit;
    response.set(this.bytes.subarray(offset, offset + range.size), 1);
    return response;
  }

  #write(request: Uint8Array): Uint8Array | number {
    const range = rangeAt(request, 1);
    if (range === null || range.end + range.size !== request.length) return nrc.incorrectLength;
    const offset = this.#offsetOf(range);
    if (offset === null) return nrc.requestOutOfRange;
    this.bytes.set(request.subarray(range.end), offset);
    const response = request.slice(0, range.end);
    response[0] = sid.writeMemory | responseBit;
    return response;
  }

  #begin(request: Uint8Array): Uint8Array | number {
    const range = rangeAt(request, 2);
    if (range === null || range.end !== request.length) return nrc.incorrectLength;
    if (this.#download !== null) return nrc.conditionsNotCorrect;
    // Compressed or encrypted data would be stored as they are.
    if (request[1] !== 0 || this.#offsetOf(range) === null) return nrc.requestOutOfRange;
    const { address, size } = range;
    this.#download = { address, size, stored: 0, counter: 1, isStarted: false };
    const [high, low] = [this.#blockLength >> 8, this.#blockLength & 0xff];
    return Uint8Array.of(sid.download | responseBit, 0x20, high, low);
  }

  #transfer(request: Uint8Array): Uint8Array | number {
    const { length } = request;
    if (length < 2 || length > this.#blockLength) return nrc.incorrectLength;
    const download = this.#download;
    if (download === null) return nrc.requestSequenceError;
    const counter = request[1] as number;
    const response = Uint8Array.of(sid.transfer | responseBit, counter);
    const previous = (download.counter + 255) % 256;
    if (download.isStarted && counter === previous) return response;
    if (counter !== download.counter) return nrc.wrongBlockCounter;
    const { size, stored, address } = download;
    if (length === 2) return nrc.incorrectLength;
    if (stored + length - 2 > size) return nrc.requestOutOfRange;
    this.bytes.set(request.subarray(2), address - this.#address + stored);
    download.stored += length - 2;
    download.counter = (counter + 1) % 256;
    download.isStarted = true;
    return response;
  }

  #exit(): Uint8Array | number {
    const download = this.#download;
    if (download === null || download.stored < download.size) return nrc.requestSequenceError;
    this.#download = null;
    return Uint8Array.of(sid.transferExit | responseBit);
  }
}
