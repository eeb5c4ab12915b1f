import type { Scratch } from '../../base/scratch-pool.ts';
import type { WindowBounds } from '../../broker/window.ts';
import { copyWords } from '../../frame/copy-words.ts';
import type { GapEvent } from '../../frame/event-record.ts';
import { frm2, frm2HeaderLength, frm2SlotBytes } from '../../frame/frm2-layout.ts';

const finalBinary = 0x82;
const finalText = 0x81;
/** The longest content whose length fits the second byte of a frame (RFC 6455, 5.2). */
const shortContent = 125;
const lengthInTwoBytes = 126;
const shortHeader = 2;
const longHeader = 4;
const longestFrame = longHeader + frm2SlotBytes;
/** The gap message with the largest ids stays within a short frame. */
const longestGap = shortHeader + shortContent;

const wordBytes = 4;
const twoTo32 = 2 ** 32;

const gapText = ({ oldestAvailable, newestAvailable }: WindowBounds): string => {
  const gap: Omit<GapEvent, 'missed'> = {
    oldest_available: oldestAvailable,
    newest_available: newestAvailable,
  };
  return JSON.stringify({ event: 'gap', ...gap });
};

/**
 * Puts WebSocket frames of a server one behind the other: each a binary message with one FRM2 record
 * that carries the stream's epoch.
 */
export class FrameBatch {
  readonly scratch: Scratch;
  readonly #view: DataView;
  readonly #epochHigh: number;
  readonly #epochLow: number;
  length = 0;

  constructor(scratch: Scratch, epoch: number) {
    this.scratch = scratch;
    this.#view = scratch.view;
    this.#epochHigh = Math.floor(epoch / twoTo32);
    this.#epochLow = epoch % twoTo32;
  }

  /** Whether any record and a gap still have room. */
  get hasRoom(): boolean {
    return this.length + longestFrame + longestGap <= this.#view.byteLength;
  }

  addRecord(record: DataView, from: number): void {
    const target = this.#view;
    const payload = record.getUint8(from + frm2.payloadLength);
    const content = frm2HeaderLength + payload;
    let at = this.length;
    if (content <= shortContent) {
      target.setUint16(at, (finalBinary << 8) | content);
      at += shortHeader;
    } else {
      target.setUint32(at, (finalBinary << 24) | (lengthInTwoBytes << 16) | content);
      at += longHeader;
    }
    copyWords(target, at, record, from, content);
    target.setUint32(at + frm2.streamEpoch, this.#epochHigh);
    target.setUint32(at + frm2.streamEpoch + wordBytes, this.#epochLow);
    this.length = at + content;
  }

  addGap(bounds: WindowBounds): void {
    const text = gapText(bounds);
    const at = this.length;
    this.#view.setUint16(at, (finalText << 8) | text.length);
    this.length = at + shortHeader + this.scratch.bytes.write(text, at + shortHeader, 'latin1');
  }
}
