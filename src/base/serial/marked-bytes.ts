export interface MarkedReceiver {
  byte(byte: number): void;
  lineBreak(): void;
  framingError(byte: number): void;
}

const mark = 0xff;

/**
 * Decodes the bytes of a terminal with PARMRK, in chunks of any size:
 *
 *     FF FF       the byte FF
 *     FF 00 00    a break
 *     FF 00 nn    nn with a framing error
 *     nn          the byte nn
 */
export class MarkedBytes {
  readonly #receiver: MarkedReceiver;
  #marked: 0 | 1 | 2 = 0;

  constructor(receiver: MarkedReceiver) {
    this.#receiver = receiver;
  }

  read(bytes: Uint8Array): void {
    for (let i = 0; i < bytes.length; i++) this.#take(bytes[i] as number);
  }

  reset(): void {
    this.#marked = 0;
  }

  #take(byte: number): void {
    if (this.#marked === 0) {
      if (byte === mark) this.#marked = 1;
      else this.#receiver.byte(byte);
    } else if (this.#marked === 1) {
      this.#marked = byte === 0 ? 2 : 0;
      if (byte === 0) return;
      this.#receiver.byte(mark);
      // PARMRK does not define this sequence; the byte is kept.
      if (byte !== mark) this.#receiver.byte(byte);
    } else {
      this.#marked = 0;
      if (byte === 0) this.#receiver.lineBreak();
      else this.#receiver.framingError(byte);
    }
  }
}

export const breakMark: Uint8Array = Uint8Array.of(mark, 0, 0);

export const putMarked = (to: Uint8Array, bytes: Uint8Array, length: number): number => {
  let end = 0;
  for (let i = 0; i < length; i++) {
    const byte = bytes[i] as number;
    if (byte === mark) to[end++] = mark;
    to[end++] = byte;
  }
  return end;
};
