import { maxFdLength } from '../../frame/dlc.ts';

/** A data frame on a bus. Objects are reused. */
export class HeardFrame {
  channel = 0;
  /** FRM2 event kind. */
  kind = 0;
  id = 0;
  extended = false;
  bytes: Uint8Array;
  at = 0;
  length = 0;
  timestampUs = Number.NaN;
  eventId = Number.NaN;
  /** Whether its PDU is marked. */
  isMarked = false;

  constructor(bytes: Uint8Array = new Uint8Array(maxFdLength)) {
    this.bytes = bytes;
  }

  /** Identifier with its width. */
  get wide(): number {
    return wideId(this.id, this.extended);
  }

  /** Copies the data, too. */
  copy(from: HeardFrame): void {
    this.channel = from.channel;
    this.kind = from.kind;
    this.id = from.id;
    this.extended = from.extended;
    this.length = from.length;
    this.timestampUs = from.timestampUs;
    this.eventId = from.eventId;
    this.isMarked = from.isMarked;
    for (let i = 0; i < from.length; i++) this.bytes[i] = from.bytes[from.at + i] as number;
  }
}

const widthBit = 2 ** 29;

export const wideId = (id: number, extended: boolean): number => (extended ? id | widthBit : id);

export const plainId = (wide: number): number => wide & (widthBit - 1);
export const isWide = (wide: number): boolean => wide >= widthBit;

const standardIds = 2048;
const extendedSlots = 8192;

/** Counts reasons to read frames: one cell for each 11-bit identifier, shared cells for 29 bits. */
export class IdMarks {
  readonly cells = new Uint32Array(standardIds + extendedSlots);

  static standardCell(id: number): number {
    return id & (standardIds - 1);
  }

  static extendedCell(id: number): number {
    return standardIds + ((id ^ (id >>> 13)) & (extendedSlots - 1));
  }

  add(id: number, extended: boolean): void {
    this.#change(id, extended, 1);
  }

  remove(id: number, extended: boolean): void {
    this.#change(id, extended, -1);
  }

  #change(id: number, extended: boolean, by: number): void {
    const cell = extended ? IdMarks.extendedCell(id) : IdMarks.standardCell(id);
    this.cells[cell] = (this.cells[cell] as number) + by;
  }
}
