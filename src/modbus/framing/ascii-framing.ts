import { maxPduLength } from '../pdu/function-codes.ts';
import { lrc } from './checksums.ts';
import { EchoFilter, type Side } from './echo-filter.ts';
import {
  type FrameClaim,
  type FrameReceiver,
  type Framing,
  type FramingProblemKind,
  maxShown,
} from './framing.ts';

export interface AsciiOptions {
  readonly side: Side;
  readonly gapUs: number;
}

const colon = 0x3a;
const carriageReturn = 0x0d;
const lineFeed = 0x0a;

const maxContent = 1 + maxPduLength + 1;
const minContent = 3;

const digits = Uint8Array.from('0123456789ABCDEF', (digit) => digit.charCodeAt(0));

const nibbleOf = (character: number): number => {
  if (character >= 0x30 && character <= 0x39) return character - 0x30;
  const letter = character | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
};

const putHex = (into: Uint8Array, at: number, byte: number): void => {
  into[at] = digits[byte >> 4] as number;
  into[at + 1] = digits[byte & 0xf] as number;
};

type State = 'outside' | 'inside' | 'ending';

/**
 * Modbus ASCII: a colon, hex digits and a line end, so that damage never reaches the next frame.
 */
export class AsciiFraming implements Framing {
  readonly carriesTransactions = false;
  readonly maxLength = 1 + 2 * maxContent + 2;
  readonly pduOffset = 1;
  readonly #receiver: FrameReceiver;
  readonly #echo: EchoFilter;
  readonly #gapUs: number;
  readonly #content = new Uint8Array(maxContent);
  #state: State = 'outside';
  #digits = 0;
  #characters = 0;
  readonly #shown = new Uint8Array(maxShown);
  #problem: FramingProblemKind = 'garbage';
  #lastUs = 0;
  #resets = 0;

  constructor(receiver: FrameReceiver, { side, gapUs }: AsciiOptions) {
    this.#receiver = receiver;
    this.#gapUs = gapUs;
    this.#echo = new EchoFilter(side);
  }

  get nextDeadlineUs(): number {
    return this.#characters > 0 ? this.#lastUs + this.#gapUs : Number.POSITIVE_INFINITY;
  }

  push(bytes: Uint8Array, nowUs: number): void {
    const resets = this.#resets;
    this.idle(nowUs);
    for (let i = 0; i < bytes.length && resets === this.#resets; i++) {
      this.#lastUs = nowUs;
      this.#take(bytes[i] as number);
    }
  }

  idle(nowUs: number): void {
    if (nowUs < this.nextDeadlineUs) return;
    if (this.#state !== 'outside') this.#leave('incomplete');
    this.#report(this.#claim());
  }

  reset(): void {
    this.#state = 'outside';
    this.#digits = 0;
    this.#characters = 0;
    this.#problem = 'garbage';
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
    const checksum = (lrc(pdu, pduAt, pduAt + pduLength) - unit) & 0xff;
    this.#echo.remember(unit, pdu, pduAt, pduLength);
    const end = at + 3 + 2 * pduLength;
    // Backwards, so that a PDU already in place is read before its digits overwrite it.
    for (let i = pduLength - 1; i >= 0; i--) putHex(into, at + 3 + 2 * i, pdu[pduAt + i] as number);
    into[at] = colon;
    putHex(into, at + 1, unit);
    putHex(into, end, checksum);
    into[end + 2] = carriageReturn;
    into[end + 3] = lineFeed;
    return end + 4 - at;
  }

  sent(): void {
    this.#echo.expect();
  }

  #take(character: number): void {
    if (character === colon) {
      if (this.#state !== 'outside') this.#leave('incomplete');
      this.#begin();
      return;
    }
    if (this.#characters < maxShown) this.#shown[this.#characters] = character;
    this.#characters += 1;
    if (this.#state === 'inside') this.#takeInside(character);
    else if (this.#state === 'ending') {
      if (character === lineFeed) this.#finish();
      else this.#leave('bad_character');
    }
    // A line feed ends any line.
    else if (character === lineFeed) this.#report(this.#claim());
  }

  #takeInside(character: number): void {
    if (character === carriageReturn) {
      this.#state = 'ending';
      return;
    }
    const nibble = nibbleOf(character);
    if (nibble < 0) this.#leave('bad_character');
    else if (this.#digits === 2 * maxContent) this.#leave('too_long');
    else {
      const index = this.#digits >> 1;
      const isHigh = (this.#digits & 1) === 0;
      this.#content[index] = isHigh ? nibble << 4 : (this.#content[index] as number) | nibble;
      this.#digits += 1;
    }
  }

  #begin(): void {
    const resets = this.#resets;
    this.#report();
    if (resets !== this.#resets) return;
    this.#state = 'inside';
    this.#digits = 0;
    this.#shown[0] = colon;
    this.#characters = 1;
  }

  #finish(): void {
    const error = this.#error();
    const end = (this.#digits >> 1) - 1;
    if (error !== undefined) {
      this.#leave(error);
      this.#report(this.#claim());
      return;
    }
    this.#state = 'outside';
    this.#digits = 0;
    this.#characters = 0;
    if (this.#echo.absorbs(this.#content, 0, end)) return;
    const unit = this.#content[0] as number;
    this.#receiver.frame(0, unit, this.#content, 1, end - 1);
  }

  #error(): FramingProblemKind | undefined {
    const length = this.#digits >> 1;
    if ((this.#digits & 1) === 1 || length < minContent) return 'bad_length';
    const isSound = lrc(this.#content, 0, length - 1) === this.#content[length - 1];
    return isSound ? undefined : 'bad_checksum';
  }

  /** Discards the frame. Its characters are reported with those up to the next colon. */
  #leave(problem: FramingProblemKind): void {
    this.#state = 'outside';
    this.#problem = problem;
  }

  #claim(): FrameClaim | undefined {
    const length = this.#digits >> 1;
    if (length < 2) return undefined;
    const [unit = 0, code = 0] = this.#content;
    return { unit, function: code, pduLength: length - 2 };
  }

  #report(claim?: FrameClaim): void {
    const kind = this.#problem;
    const discarded = this.#characters;
    this.#problem = 'garbage';
    this.#digits = 0;
    this.#characters = 0;
    if (discarded === 0) return;
    const bytes = this.#shown.subarray(0, Math.min(discarded, maxShown));
    this.#receiver.problem({ kind, discarded, fatal: false, bytes, claim });
  }
}
