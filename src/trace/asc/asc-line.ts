import { maxExtendedId, maxStandardId } from '../../frame/frame.ts';
import { eventKindCode } from '../../frame/frm2-layout.ts';
import type { SkipName } from '../skip-names.ts';
import { asciiWord, hexValue, LineCursor } from '../text/line-cursor.ts';

export interface LineOutcome {
  readonly skipped?: SkipName;
  readonly error?: string;
}

export const passedOver = (
  names: Readonly<Record<string, SkipName>>,
): readonly { word: Uint8Array; outcome: LineOutcome }[] =>
  Object.entries(names).map(([word, name]) => ({
    word: asciiWord(word),
    outcome: skippedAs(name),
  }));

export const taken: LineOutcome = {};
export const skippedAs = (skipped: SkipName): LineOutcome => ({ skipped });
export const invalid = (error: string): LineOutcome => ({ error });

export const txRequest = skippedAs('tx_request');
export const symbolic = skippedAs('symbolic');
export const badData = invalid('Fewer data bytes than announced');
export const badDlc = invalid('The DLC or the data length is out of range');
export const badId = invalid('The identifier is out of range');

/** A transmit request is not a frame on the bus: its confirmation follows. */
export const requested = 3;

const lowerR = 0x72;
const lowerT = 0x74;
const lowerX = 0x78;
const nine = 0x39;
const blank = 0x20;
const lowerCase = 0x20;

const idWord = asciiWord('id');
const equalsWord = asciiWord('=');
const requestWord = asciiWord('txrq');

export class AscLine extends LineCursor {
  isHex = true;
  id = 0;
  isExtended = false;

  /** Returns the event kind code, `requested`, or 0 without a direction. */
  takeDirection(): number {
    const { bytes, at } = this;
    if (((bytes[at + 1] as number) | lowerCase) !== lowerX) return 0;
    const first = (bytes[at] as number) | lowerCase;
    if ((bytes[at + 2] as number) <= blank) {
      this.at = at + 2;
      if (first === lowerR) return eventKindCode.rx_frame;
      if (first === lowerT) return eventKindCode.tx_complete;
      this.at = at;
    }
    return this.takeWord(requestWord) ? requested : 0;
  }

  takeNumber(): number {
    return this.isHex ? this.takeHex() : this.takeDecimal();
  }

  takeBytes(into: Uint8Array, to: number, count: number): boolean {
    return this.isHex ? this.takeHexBytes(into, to, count) : this.takeDecimalBytes(into, to, count);
  }

  /**
   * Parses a CAN identifier; x marks 29 bits. A hex number that starts with a letter and
   * exceeds 11 bits is a name: `ACC` is a message.
   */
  takeId(isHex: boolean): boolean {
    const { bytes } = this;
    let { at } = this;
    const highestDigit = isHex ? 15 : 9;
    const base = highestDigit + 1;
    let value = 0;
    let digit = hexValue(bytes[at] as number);
    if (digit > highestDigit) return false;
    do {
      value = value * base + digit;
      digit = hexValue(bytes[++at] as number);
    } while (digit <= highestDigit);
    let last = bytes[at] as number;
    const isExtended = (last | lowerCase) === lowerX;
    if (isExtended) last = bytes[++at] as number;
    if (last > blank) return false;
    if (!isExtended && value > maxStandardId && (bytes[this.at] as number) > nine) return false;
    this.id = value;
    this.isExtended = isExtended;
    this.at = at;
    return true;
  }

  get isIdInRange(): boolean {
    return this.id <= (this.isExtended ? maxExtendedId : maxStandardId);
  }

  /**
   * Finds the identifier of a frame logged by name: newer tools repeat it as a decimal number
   * later in the line.
   */
  resolveName(): boolean {
    while (this.skipBlanks()) {
      if (!this.takeWord(idWord)) this.at = this.tokenEnd();
      else if (this.skipBlanks() && this.takeWord(equalsWord) && this.skipBlanks()) {
        if (this.takeId(false)) return true;
      }
    }
    return false;
  }
}
