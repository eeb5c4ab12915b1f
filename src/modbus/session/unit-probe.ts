import { exceptionFlag } from '../pdu/function-codes.ts';

/** Diagnostics, of which the first has a unit repeat what it is sent. */
const diagnostics = 0x08;
const returnQueryData = 0x0000;

const pduLength = 5;

export type ProbeAnswer = 'none' | 'echo' | 'refusal' | 'other_echo';

/**
 * A question with a number in it. On a serial line an answer does not tell what it answers; but the
 * number comes back, and so does the refusal of a unit that cannot do this, which no other request
 * has. A unit that answers it has nothing older left to say.
 */
export class UnitProbe {
  readonly #pdu = Uint8Array.of(diagnostics, returnQueryData >> 8, returnQueryData & 0xff, 0, 0);
  #number = 0;

  /** The PDU of another probe. */
  next(): Uint8Array {
    this.#number = (this.#number + 1) & 0xffff;
    this.#pdu[3] = this.#number >> 8;
    this.#pdu[4] = this.#number & 0xff;
    return this.#pdu;
  }

  /** What a PDU is to the last probe: `other_echo` is that of an earlier one. */
  answerIn(bytes: Uint8Array, at: number, length: number): ProbeAnswer {
    if (bytes[at] === (diagnostics | exceptionFlag)) return 'refusal';
    if (bytes[at] !== diagnostics) return 'none';
    if (length !== pduLength) return 'other_echo';
    for (let i = 0; i < pduLength; i++) {
      if (bytes[at + i] !== this.#pdu[i]) return 'other_echo';
    }
    return 'echo';
  }
}
