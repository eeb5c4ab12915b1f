import { DurationStatistics } from '../../../src/base/durations/duration-statistics.ts';
import {
  canFrameBits,
  errorFrameBits,
  fdDataBits,
  fdNominalBits,
} from '../../../src/frame/can-bits.ts';
import { dlcToLength, maxFdLength } from '../../../src/frame/dlc.ts';
import { busCode, frameFlag } from '../../../src/frame/frm2-layout.ts';
import { linFrameBits } from '../../../src/frame/lin.ts';
import type { FrameChunk } from './frame-chunk.ts';

export interface CycleFigures {
  readonly minUs: number;
  readonly meanUs: number;
  /** At most 1/32 too high. */
  readonly p99Us: number;
  readonly maxUs: number;
  /** Standard deviation. */
  readonly jitterUs: number;
}

/** Bits on the wire, stuff bits included. */
export interface FrameBits {
  /** At the nominal bit rate. */
  readonly nominalBits: number;
  /** At the data bit rate, of CAN FD frames with BRS. */
  readonly dataBits: number;
}

const fdLengths = 16;

/** Cycle times, lengths, changes and bits of each row of a table by ID. */
export class IdStatistics {
  readonly #cycles: DurationStatistics[] = [];
  readonly #changes: Float64Array;
  readonly #nominalBits: Float64Array;
  readonly #dataBits: Float64Array;
  /** DLCs seen: bits 0 to 15 of CAN and LIN, the upper ones of CAN FD. */
  readonly #dlcs: Uint32Array;

  constructor(capacity: number) {
    this.#changes = new Float64Array(capacity);
    this.#nominalBits = new Float64Array(capacity);
    this.#dataBits = new Float64Array(capacity);
    this.#dlcs = new Uint32Array(capacity);
  }

  addRow(row: number): void {
    this.#cycles[row] = new DurationStatistics();
    this.#changes[row] = 0;
    this.#nominalBits[row] = 0;
    this.#dataBits[row] = 0;
    this.#dlcs[row] = 0;
  }

  /** `cycleUs` is NaN for the first frame. */
  take(row: number, chunk: FrameChunk, from: number, cycleUs: number, isChanged: boolean): void {
    if (!Number.isNaN(cycleUs)) (this.#cycles[row] as DurationStatistics).add(cycleUs);
    if (isChanged) this.#changes[row] = (this.#changes[row] as number) + 1;
    const flags = chunk.flags[from] as number;
    const isFd = (flags & frameFlag.fd) !== 0;
    const dlc = (chunk.dlc[from] as number) & 0xf;
    this.#dlcs[row] = (this.#dlcs[row] as number) | (1 << (isFd ? dlc + fdLengths : dlc));
    this.#takeBits(row, chunk, from, flags, dlc);
  }

  cycleOf(row: number): CycleFigures | null {
    const cycles = this.#cycles[row];
    if (!cycles || cycles.count === 0) return null;
    const { minUs, meanUs, p99Us, maxUs, jitterUs } = cycles;
    return { minUs, meanUs, p99Us, maxUs, jitterUs };
  }

  bitsOf(row: number): FrameBits {
    return {
      nominalBits: this.#nominalBits[row] as number,
      dataBits: this.#dataBits[row] as number,
    };
  }

  changesOf(row: number): number {
    return this.#changes[row] as number;
  }

  lengthsOf(row: number): readonly number[] {
    const dlcs = this.#dlcs[row] as number;
    const lengths = new Set<number>();
    for (let bit = 0; bit < 2 * fdLengths; bit++) {
      if ((dlcs & (1 << bit)) !== 0) {
        lengths.add(dlcToLength(bit % fdLengths, bit >= fdLengths));
      }
    }
    return [...lengths].sort((a, b) => a - b);
  }

  clear(): void {
    this.#cycles.length = 0;
  }

  copyFrom(other: IdStatistics): void {
    for (const cycles of other.#cycles) this.#cycles.push(cycles.copy());
    this.#changes.set(other.#changes);
    this.#nominalBits.set(other.#nominalBits);
    this.#dataBits.set(other.#dataBits);
    this.#dlcs.set(other.#dlcs);
  }

  #takeBits(row: number, chunk: FrameChunk, from: number, flags: number, dlc: number): void {
    const id = chunk.id[from] as number;
    const data = from * maxFdLength;
    let nominal = 0;
    if (chunk.bus[from] === busCode.lin) {
      const isFrame = (flags & (frameFlag.wakeUp | frameFlag.syncBreak | frameFlag.error)) === 0;
      nominal = isFrame ? linFrameBits(chunk.length[from] as number) : 0;
    } else if ((flags & frameFlag.error) !== 0) {
      nominal = (chunk.errors[from] as number) * errorFrameBits;
    } else if ((flags & frameFlag.brs) !== 0) {
      nominal = fdNominalBits(flags, id);
      const bits = fdDataBits(flags, dlc, chunk.payload, data);
      this.#dataBits[row] = (this.#dataBits[row] as number) + bits;
    } else {
      nominal = canFrameBits(flags, id, dlc, chunk.payload, data);
    }
    this.#nominalBits[row] = (this.#nominalBits[row] as number) + nominal;
  }
}
