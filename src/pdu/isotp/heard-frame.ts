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
  timestampUs = 0;
  eventId = 0;

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
    for (let i = 0; i < from.length; i++) this.bytes[i] = from.bytes[from.at + i] as number;
  }

  equals(other: HeardFrame): boolean {
    if (this.wide !== other.wide || this.length !== other.length) return false;
    for (let i = 0; i < this.length; i++) {
      if (this.bytes[this.at + i] !== other.bytes[other.at + i]) return false;
    }
    return true;
  }
}

const widthBit = 2 ** 29;

export const wideId = (id: number, extended: boolean): number => (extended ? id | widthBit : id);

const standardIds = 2048;
const extendedSlots = 2048;

/** Counts reasons to read frames: one cell for each 11-bit identifier, shared cells for 29 bits. */
export class IdMarks {
  readonly cells = new Uint32Array(standardIds + extendedSlots);

  static cellOf(id: number, extended: boolean): number {
    if (!extended) return id & (standardIds - 1);
    return standardIds + ((id ^ (id >>> 11) ^ (id >>> 20)) & (extendedSlots - 1));
  }

  add(id: number, extended: boolean): void {
    const cell = IdMarks.cellOf(id, extended);
    this.cells[cell] = (this.cells[cell] as number) + 1;
  }

  remove(id: number, extended: boolean): void {
    const cell = IdMarks.cellOf(id, extended);
    this.cells[cell] = (this.cells[cell] as number) - 1;
  }
}
