import { isFrameLength, lengthToDlc, maxClassicLength, maxFdLength } from '../../frame/dlc.ts';
import { maxStandardId } from '../../frame/frame.ts';
import { busCode, frameFlag } from '../../frame/frm2-layout.ts';
import { hexValue, type LineCursor } from '../text/line-cursor.ts';
import type { TraceBatch } from '../trace-batch.ts';
import { errorBit, fdBit, idBits, idDigits, mark } from './candump-layout.ts';

export type FrameError =
  | 'can_xl'
  | 'the identifier has neither 3 nor 8 hex digits'
  | 'the identifier is out of range'
  | '# is missing after the identifier'
  | 'the data is not hex bytes'
  | 'no frame has that many bytes'
  | 'the remote request is invalid'
  | 'the raw length code is invalid'
  | 'the flags are not a hex digit'
  | 'unexpected text after the frame';

const maxDigit = 15;
const isLetterR = (byte: number): boolean => (byte | 0x20) === 0x72;

export class FrameParser {
  readonly #cursor: LineCursor;

  constructor(cursor: LineCursor) {
    this.#cursor = cursor;
  }

  parse(batch: TraceBatch, row: number): FrameError | null {
    const cursor = this.#cursor;
    const { bytes } = cursor;
    const from = cursor.at;
    let at = from;
    let id = 0;
    for (let digit = hexValue(bytes[at] as number); digit <= maxDigit; ) {
      id = id * 16 + digit;
      digit = hexValue(bytes[++at] as number);
    }
    if (bytes[at] !== mark.hash) return '# is missing after the identifier';
    cursor.at = at + 1;
    const digits = at - from;
    if (digits === idDigits.xl) return 'can_xl';
    if (digits === idDigits.standard) {
      if (id > maxStandardId) return 'the identifier is out of range';
      batch.flags[row] = 0;
    } else if (digits === idDigits.extended) {
      if (id > errorBit + idBits) return 'the identifier is out of range';
      batch.flags[row] = id >= errorBit ? frameFlag.error : frameFlag.extended;
    } else return 'the identifier has neither 3 nor 8 hex digits';
    batch.id[row] = id & idBits;
    batch.checksum[row] = 0;
    batch.detail[row] = 0;
    const error = this.#content(batch, row);
    if (error === null && (bytes[cursor.at] as number) > mark.blank) {
      return 'unexpected text after the frame';
    }
    return error;
  }

  #content(batch: TraceBatch, row: number): FrameError | null {
    const { bytes, at } = this.#cursor;
    const first = bytes[at] as number;
    const isFd = first === mark.hash;
    const isRemote = isLetterR(first);
    if ((isFd || isRemote) && ((batch.flags[row] as number) & frameFlag.error) !== 0) {
      return 'the identifier is out of range';
    }
    batch.bus[row] = isFd ? busCode.canfd : busCode.can;
    if (isFd) return this.#fd(batch, row);
    return isRemote ? this.#remote(batch, row) : this.#classic(batch, row);
  }

  #fd(batch: TraceBatch, row: number): FrameError | null {
    const cursor = this.#cursor;
    const bits = hexValue(cursor.bytes[cursor.at + 1] as number);
    if (bits > maxDigit) return 'the flags are not a hex digit';
    cursor.at += 2;
    const flags =
      frameFlag.fd |
      ((bits & fdBit.brs) === 0 ? 0 : frameFlag.brs) |
      ((bits & fdBit.esi) === 0 ? 0 : frameFlag.esi);
    batch.flags[row] = (batch.flags[row] as number) | flags;
    const length = this.#data(batch.payload, row * maxFdLength, maxFdLength);
    if (length < 0) return 'the data is not hex bytes';
    if (!isFrameLength(length, true)) return 'no frame has that many bytes';
    batch.length[row] = length;
    batch.dlc[row] = lengthToDlc(length, true);
    return null;
  }

  #remote(batch: TraceBatch, row: number): FrameError | null {
    const cursor = this.#cursor;
    cursor.at++;
    batch.flags[row] = (batch.flags[row] as number) | frameFlag.remote;
    batch.length[row] = 0;
    const digit = (cursor.bytes[cursor.at] as number) - mark.zero;
    const hasLength = digit >= 0 && digit <= maxClassicLength;
    if (hasLength) cursor.at++;
    batch.dlc[row] = hasLength ? digit : 0;
    return this.#rawDlc(batch, row) ? null : 'the remote request is invalid';
  }

  #classic(batch: TraceBatch, row: number): FrameError | null {
    const length = this.#data(batch.payload, row * maxFdLength, maxFdLength);
    if (length < 0) return 'the data is not hex bytes';
    if (length > maxClassicLength) return 'no frame has that many bytes';
    batch.length[row] = length;
    batch.dlc[row] = length;
    return this.#rawDlc(batch, row) ? null : 'the raw length code is invalid';
  }

  /** Parses `_9` to `_F` after 8 bytes; returns false if anything else follows the underscore. */
  #rawDlc(batch: TraceBatch, row: number): boolean {
    const cursor = this.#cursor;
    if (cursor.bytes[cursor.at] !== mark.underscore) return true;
    const dlc = hexValue(cursor.bytes[cursor.at + 1] as number);
    if (batch.dlc[row] !== maxClassicLength || dlc <= maxClassicLength || dlc > maxDigit) {
      return false;
    }
    cursor.at += 2;
    batch.dlc[row] = dlc;
    return true;
  }

  #data(into: Uint8Array, to: number, max: number): number {
    const cursor = this.#cursor;
    const { bytes } = cursor;
    let { at } = cursor;
    let length = 0;
    for (;;) {
      const byte = bytes[at] as number;
      const high = hexValue(byte);
      if (high > maxDigit) {
        if (byte !== mark.dot) break;
        at++;
        continue;
      }
      const low = hexValue(bytes[at + 1] as number);
      if (low > maxDigit || length === max) return -1;
      into[to + length++] = (high << 4) | low;
      at += 2;
    }
    cursor.at = at;
    return length;
  }
}
