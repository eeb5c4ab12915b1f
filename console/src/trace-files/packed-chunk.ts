import { maxFdLength } from '../../../src/frame/dlc.ts';
import { errorCountBytes, errorCountIn, putErrorCount } from '../../../src/frame/error-count.ts';
import { frameFlag } from '../../../src/frame/frm2-layout.ts';
import { type FrameChunk, gapKind, twinRow } from '../trace-core/frame-chunk.ts';

/** Rows of a chunk: their numbers fit 16 bits. */
export const packedRows = 65_536;
const linErrors = frameFlag.checksumError | frameFlag.noResponse;
const usualPayload = 8;
const busShift = 4;
const kindMask = (1 << busShift) - 1;

/**
 * Rows of a file in a third of the memory of a `FrameChunk`: payloads have their own length, and
 * numbers that count rows are computed. An error frame that represents several has their number
 * after its data.
 */
export class PackedChunk {
  /** Number of the first row of the chunk in the file. */
  readonly first: number;
  count = 0;
  readonly timestampUs = new Float64Array(packedRows);
  /** Exact to the microsecond up to 16 seconds. */
  readonly #sinceUs = new Float32Array(packedRows);
  /** For a gap: the number of missing frames; 0 if unknown. */
  readonly id = new Uint32Array(packedRows);
  readonly flags = new Uint16Array(packedRows);
  readonly channel = new Uint16Array(packedRows);
  readonly #status = new Uint8Array(packedRows);
  readonly #kindAndBus = new Uint8Array(packedRows);
  readonly #dlc = new Uint8Array(packedRows);
  readonly length = new Uint8Array(packedRows);
  readonly #checksum = new Uint8Array(packedRows);
  readonly payloadAt = new Uint32Array(packedRows);
  payload = new Uint8Array(packedRows * usualPayload);
  #used = 0;
  /** Rows that pass the filter. */
  matches: Uint16Array | null = null;

  constructor(first: number) {
    this.first = first;
  }

  get isFull(): boolean {
    return this.count === packedRows;
  }

  add(from: FrameChunk, row: number): void {
    const to = this.count++;
    const kind = from.kind[row] as number;
    const flags = from.flags[row] as number;
    const errors = from.errors[row] as number;
    const missing = from.sequence[row] as number;
    const length = from.length[row] as number;
    this.timestampUs[to] = from.timestampUs[row] as number;
    this.#sinceUs[to] = from.sinceUs[row] as number;
    this.id[to] = kind === gapKind ? missing || 0 : (from.id[row] as number);
    this.flags[to] = flags;
    this.channel[to] = from.channel[row] as number;
    this.#status[to] = from.status[row] as number;
    this.#kindAndBus[to] = kind | ((from.bus[row] as number) << busShift);
    this.#dlc[to] = from.dlc[row] as number;
    this.length[to] = length;
    this.#checksum[to] = from.checksum[row] as number;
    this.payloadAt[to] = this.#used;
    this.#reserve(length + errorCountBytes);
    const source = row * maxFdLength;
    for (let i = 0; i < length; i++) {
      this.payload[this.#used++] = from.payload[source + i] as number;
    }
    if ((flags & frameFlag.error) === 0) return;
    putErrorCount(this.payload, this.#used, errors);
    this.#used += errorCountBytes;
  }

  isGap(row: number): boolean {
    return ((this.#kindAndBus[row] as number) & kindMask) === gapKind;
  }

  /** Puts a row in the place of another chunk. */
  unpack(row: number, into: FrameChunk, to: number): void {
    const kindAndBus = this.#kindAndBus[row] as number;
    const kind = kindAndBus & kindMask;
    const isGap = kind === gapKind;
    const id = this.id[row] as number;
    const flags = this.flags[row] as number;
    const length = this.length[row] as number;
    const at = this.payloadAt[row] as number;
    into.serial[to] = this.first + row;
    into.eventId[to] = this.first + row + 1;
    into.sequence[to] = isGap ? id || Number.NaN : 0;
    into.timestampUs[to] = this.timestampUs[row] as number;
    into.sinceUs[to] = this.#sinceUs[row] as number;
    into.twin[to] = twinRow.none;
    into.id[to] = isGap ? 0 : id;
    into.flags[to] = flags;
    into.status[to] = this.#status[row] as number;
    into.channel[to] = this.channel[row] as number;
    into.kind[to] = kind;
    into.bus[to] = kindAndBus >> busShift;
    into.dlc[to] = this.#dlc[row] as number;
    into.length[to] = length;
    into.checksum[to] = this.#checksum[row] as number;
    into.errors[to] =
      (flags & frameFlag.error) !== 0
        ? errorCountIn(this.payload, at + length)
        : Number((flags & linErrors) !== 0);
    const target = to * maxFdLength;
    for (let i = 0; i < length; i++) into.payload[target + i] = this.payload[at + i] as number;
  }

  #reserve(bytes: number): void {
    if (this.#used + bytes <= this.payload.length) return;
    const grown = new Uint8Array(2 * this.payload.length);
    grown.set(this.payload);
    this.payload = grown;
  }

  /** Frees the room that no payload needs. */
  trim(): void {
    if (this.#used < this.payload.length) this.payload = this.payload.slice(0, this.#used);
  }
}
