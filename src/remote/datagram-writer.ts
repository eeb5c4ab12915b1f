import { copyWords } from '../frame/copy-words.ts';
import { maxClassicLength } from '../frame/dlc.ts';
import { frm2Dlc, frm2Flags, frm2Id, frm2PayloadLength } from '../frame/frm2-codec.ts';
import { frameFlag, frm2 } from '../frame/frm2-layout.ts';
import {
  cannelloniVersion,
  datagramHeader,
  dataOpcode,
  fdFlag,
  fdLengthBit,
  frameHeadBytes,
  idBit,
  payloadLimit,
} from './cannelloni-layout.ts';

/** Payloads are copied by words, the last of which may reach over the end. */
const wordSlack = 3;

/** Packs CAN frames of FRM2 records into a datagram, straight from where they lie. */
export class DatagramWriter {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  readonly #limit: number;
  #length: number = datagramHeader.length;
  #frames = 0;

  /** `limit`: the most bytes of a datagram; it must have room for the longest frame. */
  constructor(limit: number = payloadLimit.ipv4) {
    this.#limit = limit;
    this.bytes = new Uint8Array(limit + wordSlack);
    this.#view = new DataView(this.bytes.buffer);
    this.#view.setUint8(datagramHeader.version, cannelloniVersion);
    this.#view.setUint8(datagramHeader.opcode, dataOpcode);
  }

  /** Frames packed since the last `clear`. */
  get frames(): number {
    return this.#frames;
  }

  /** Bytes of the datagram so far. */
  get length(): number {
    return this.#length;
  }

  /**
   * Adds the frame of a record, which must be one of CAN. Answers false where there is no room left.
   * A classic length code above 8 is sent as 8: the format holds a length in its place.
   */
  add(record: DataView, at: number): boolean {
    const flags = frm2Flags(record, at);
    const isFd = (flags & frameFlag.fd) !== 0;
    const isRemote = (flags & frameFlag.remote) !== 0;
    const dataLength = isRemote ? 0 : frm2PayloadLength(record, at);
    const dataAt = this.#length + frameHeadBytes + (isFd ? 1 : 0);
    if (dataAt + dataLength > this.#limit) return false;
    const view = this.#view;
    view.setUint32(this.#length, idWordOf(frm2Id(record, at), flags));
    const lengthAt = this.#length + 4;
    if (isFd) {
      view.setUint8(lengthAt, dataLength | fdLengthBit);
      view.setUint8(lengthAt + 1, fdFlagsOf(flags));
    } else {
      const length = isRemote ? Math.min(frm2Dlc(record, at), maxClassicLength) : dataLength;
      view.setUint8(lengthAt, length);
    }
    copyWords(view, dataAt, record, at + frm2.payload, dataLength);
    this.#length = dataAt + dataLength;
    this.#frames++;
    return true;
  }

  /** Completes the header. */
  seal(sequence: number): void {
    this.#view.setUint8(datagramHeader.sequence, sequence);
    this.#view.setUint16(datagramHeader.count, this.#frames);
  }

  clear(): void {
    this.#length = datagramHeader.length;
    this.#frames = 0;
  }
}

const idWordOf = (id: number, flags: number): number =>
  id +
  ((flags & frameFlag.extended) !== 0 ? idBit.extended : 0) +
  ((flags & frameFlag.remote) !== 0 ? idBit.remote : 0);

const fdFlagsOf = (flags: number): number =>
  ((flags & frameFlag.brs) !== 0 ? fdFlag.brs : 0) |
  ((flags & frameFlag.esi) !== 0 ? fdFlag.esi : 0);
