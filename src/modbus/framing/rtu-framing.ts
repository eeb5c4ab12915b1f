import { crc16 } from './checksums.ts';
import { EchoFilter, type Side } from './echo-filter.ts';
import {
  type FrameClaim,
  type FrameReceiver,
  type Framing,
  type FramingProblemKind,
  maxShown,
  placePdu,
} from './framing.ts';
import {
  type LengthRule,
  maxRtuLength,
  minRtuLength,
  requestLength,
  responseLength,
  undecided,
  unknownLength,
} from './rtu-lengths.ts';

export interface RtuOptions {
  readonly side: Side;
  /** Silence that ends a frame: `rtuSilenceUs` plus the adapter's delay. */
  readonly silenceUs: number;
  readonly gapUs: number;
  /**
   * Silence does not separate chunks, as on a TCP connection. A frame of unknown length ends
   * with the chunk if the CRC matches.
   */
  readonly endsWithChunk?: boolean;
}

const crcLength = 2;
const lastUnit = 247;

type Finding = 'nothing' | 'unknown_length' | 'unfinished' | 'frame' | 'echo' | 'foreign';

/**
 * Modbus RTU. Frames are delimited only by silence, which is unreliable with a USB adapter. A frame is
 * therefore accepted as soon as its length is known and the CRC matches. Otherwise the search continues
 * at the next byte, and silence discards the rest. A possible frame start gets more time, because the
 * remaining bytes may follow after a gap:
 *
 * ```
 *   11 03 04 00 06 ┄┄ longer than silenceUs, at most gapUs ┄┄ 00 05 CRC   one frame
 *   11 03 04 00 06 ┄┄ longer than silenceUs, at most gapUs ┄┄ 11 83 02 CRC   a fragment, one frame
 *   11 03 04 00 06 ┄┄ longer than gapUs                       a fragment
 * ```
 */
export class RtuFraming implements Framing {
  readonly carriesTransactions = false;
  readonly maxLength = maxRtuLength;
  readonly pduOffset = 1;
  readonly #receiver: FrameReceiver;
  readonly #silenceUs: number;
  readonly #gapUs: number;
  readonly #firstUnit: number;
  readonly #received: LengthRule;
  readonly #passing: LengthRule | undefined;
  readonly #echo: EchoFilter;
  readonly #endsWithChunk: boolean;

  readonly #bytes = new Uint8Array(2 * maxRtuLength);
  /** End of the last silence or frame. A frame delimited by silence can start only here. */
  #start = 0;
  /** Search position. No frame of known length starts between `#start` and here. */
  #at = 0;
  #end = 0;
  /** Start of the bytes after the last pause; 0 if none. */
  #pauseAt = 0;
  #lastUs = 0;
  #problem: FramingProblemKind | undefined;
  #discarded = 0;
  readonly #shown = new Uint8Array(maxShown);
  #resets = 0;
  #found: Finding = 'nothing';
  #foundLength = 0;

  constructor(receiver: FrameReceiver, options: RtuOptions) {
    const { side, silenceUs, gapUs, endsWithChunk = false } = options;
    this.#receiver = receiver;
    this.#silenceUs = silenceUs;
    this.#gapUs = gapUs;
    this.#endsWithChunk = endsWithChunk;
    // No unit responds to a broadcast.
    this.#firstUnit = side === 'client' ? 1 : 0;
    this.#received = side === 'client' ? responseLength : requestLength;
    this.#passing = side === 'client' ? undefined : responseLength;
    this.#echo = new EchoFilter(side);
  }

  get nextDeadlineUs(): number {
    const isPending = this.#end > this.#start || this.#discarded > 0;
    if (!isPending) return Number.POSITIVE_INFINITY;
    return this.#lastUs + (this.#awaitsRest() ? this.#gapUs : this.#silenceUs);
  }

  push(bytes: Uint8Array, nowUs: number): void {
    const resets = this.#resets;
    this.idle(nowUs);
    if (nowUs - this.#lastUs >= this.#silenceUs) this.#pauseAt = this.#end;
    let taken = 0;
    while (taken < bytes.length && resets === this.#resets) {
      this.#lastUs = nowUs;
      taken += this.#append(bytes, taken);
      this.#search();
    }
    if (this.#endsWithChunk && resets === this.#resets) this.#takeUntold();
  }

  idle(nowUs: number): void {
    if (nowUs >= this.nextDeadlineUs) this.#settle();
  }

  reset(): void {
    this.#clear();
    this.#problem = undefined;
    this.#discarded = 0;
    this.#echo.cancel();
    this.#resets += 1;
  }

  encode(
    into: Uint8Array,
    at: number,
    _transaction: number,
    unit: number,
    pdu: Uint8Array,
    pduAt: number,
    pduLength: number,
  ): number {
    placePdu(into, at + 1, pdu, pduAt, pduLength);
    into[at] = unit;
    const end = at + 1 + pduLength;
    const crc = crc16(into, at, end);
    into[end] = crc;
    into[end + 1] = crc >> 8;
    this.#echo.remember(unit, into, at + 1, pduLength);
    return 1 + pduLength + crcLength;
  }

  sent(): void {
    this.#echo.expect();
  }

  #append(bytes: Uint8Array, from: number): number {
    if (this.#start > 0) {
      this.#bytes.copyWithin(0, this.#start, this.#end);
      this.#at -= this.#start;
      this.#end -= this.#start;
      this.#pauseAt = Math.max(0, this.#pauseAt - this.#start);
      this.#start = 0;
    }
    const count = Math.min(bytes.length - from, this.#bytes.length - this.#end);
    for (let i = 0; i < count; i++) this.#bytes[this.#end + i] = bytes[from + i] as number;
    this.#end += count;
    return count;
  }

  #search(): void {
    const resets = this.#resets;
    while (this.#at < this.#end && resets === this.#resets) {
      this.#look();
      if (this.#found === 'unfinished' && !this.#findBehindPause()) break;
      if (this.#found === 'unknown_length' && this.#mayEndInSilence()) break;
      this.#goOn();
    }
    // Bytes beyond the maximum frame length cannot be part of a frame.
    if (resets === this.#resets && this.#end - this.#start > maxRtuLength) this.#discard(this.#at);
  }

  #takeUntold(): void {
    const isUnknownLength = this.#found === 'unknown_length' && this.#at === this.#start;
    if (!isUnknownLength || !this.#isWhole(this.#start, this.#end)) return;
    this.#found = 'frame';
    this.#take(this.#start, this.#end - this.#start);
  }

  #settle(): void {
    const resets = this.#resets;
    if (this.#at === this.#start) {
      if (this.#found === 'unfinished') this.#problem = 'incomplete';
      else if (this.#end - this.#start >= minRtuLength) this.#problem = 'bad_checksum';
    }
    let lastStart = -1;
    while (this.#start < this.#end && resets === this.#resets) {
      if (this.#start !== lastStart && this.#isWhole(this.#start, this.#end)) {
        this.#found = 'frame';
        this.#take(this.#start, this.#end - this.#start);
        break;
      }
      lastStart = this.#start;
      if (this.#at === this.#end) break;
      this.#look();
      this.#goOn();
    }
    if (resets !== this.#resets) return;
    this.#discard(this.#end);
    this.#clear();
    this.#report(this.#claim());
  }

  #awaitsRest(): boolean {
    if (this.#found !== 'unfinished') return false;
    return this.#at === this.#start || this.#echo.mayBeAnswered(this.#bytes, this.#at, this.#end);
  }

  /** A complete frame after a pause shows that the bytes before the pause are a fragment. */
  #findBehindPause(): boolean {
    const at = this.#at;
    if (this.#pauseAt <= at || this.#pauseAt >= this.#end) return false;
    this.#at = this.#pauseAt;
    this.#look();
    if (this.#foundLength > 0) {
      this.#problem = 'incomplete';
      return true;
    }
    this.#at = at;
    this.#found = 'unfinished';
    return false;
  }

  #goOn(): void {
    if (this.#foundLength > 0) this.#take(this.#at, this.#foundLength);
    else this.#at += 1;
  }

  #look(): void {
    const at = this.#at;
    const unit = this.#bytes[at] as number;
    this.#found = 'nothing';
    this.#foundLength = 0;
    if (unit > lastUnit) return;
    const echoed = this.#echo.lengthAt(this.#bytes, at, this.#end);
    if (echoed > 0 && this.#fits(echoed + crcLength, 'echo')) return;
    if (unit < this.#firstUnit) return;
    const received = this.#received(this.#bytes, at, this.#end);
    if (this.#fits(received, 'frame')) return;
    const passing = this.#passing?.(this.#bytes, at, this.#end) ?? unknownLength;
    if (this.#fits(passing, 'foreign') || this.#found !== 'nothing') return;
    if (received < 0 && passing < 0) this.#found = 'unknown_length';
    else if (at === this.#start) this.#problem = 'bad_checksum';
  }

  #fits(length: number, found: Finding): boolean {
    if (length < 0) return false;
    if (length === undecided || this.#at + length > this.#end) {
      this.#found = 'unfinished';
      return false;
    }
    if (crc16(this.#bytes, this.#at, this.#at + length) !== 0) return false;
    this.#found = found;
    this.#foundLength = length;
    return true;
  }

  #mayEndInSilence(): boolean {
    return this.#at === this.#start && this.#end - this.#start <= maxRtuLength;
  }

  #isWhole(at: number, end: number): boolean {
    const unit = this.#bytes[at] as number;
    return (
      end - at >= minRtuLength &&
      end - at <= maxRtuLength &&
      unit >= this.#firstUnit &&
      unit <= lastUnit &&
      crc16(this.#bytes, at, end) === 0
    );
  }

  #take(at: number, length: number): void {
    this.#discard(at);
    const end = at + length;
    this.#start = end;
    this.#at = end;
    const isForeign = this.#found === 'foreign';
    const resets = this.#resets;
    this.#report();
    if (resets !== this.#resets) return;
    const isEcho = this.#echo.absorbs(this.#bytes, at, end - crcLength);
    if (isForeign || isEcho) return;
    const unit = this.#bytes[at] as number;
    this.#receiver.frame(0, unit, this.#bytes, at + 1, length - 1 - crcLength);
  }

  #discard(end: number): void {
    const room = Math.min(end - this.#start, maxShown - this.#discarded);
    for (let i = 0; i < room; i++) {
      this.#shown[this.#discarded + i] = this.#bytes[this.#start + i] as number;
    }
    this.#discarded += end - this.#start;
    this.#start = end;
    this.#at = Math.max(this.#at, end);
  }

  #clear(): void {
    this.#start = 0;
    this.#at = 0;
    this.#end = 0;
    this.#pauseAt = 0;
    this.#found = 'nothing';
  }

  #claim(): FrameClaim | undefined {
    if (this.#discarded < 2) return undefined;
    const [unit = 0, code = 0] = this.#shown;
    return { unit, function: code, pduLength: this.#discarded - 1 - crcLength };
  }

  #report(claim?: FrameClaim): void {
    const kind = this.#problem ?? 'garbage';
    const discarded = this.#discarded;
    this.#problem = undefined;
    this.#discarded = 0;
    if (discarded === 0) return;
    const bytes = this.#shown.subarray(0, Math.min(discarded, maxShown));
    this.#receiver.problem({ kind, discarded, fatal: false, bytes, claim });
  }
}
