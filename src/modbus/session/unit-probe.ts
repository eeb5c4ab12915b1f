import { exceptionFlag } from '../pdu/function-codes.ts';

/** Diagnostics. Subfunction 0 echoes its data. */
const diagnostics = 0x08;
const returnQueryData = 0x0000;

const pduLength = 5;

export type ProbeAnswer = 'none' | 'echo' | 'refusal' | 'other_echo';

/**
 * A request that contains a number. Serial responses do not identify their request, but this
 * number is echoed, or the unit refuses the probe with an exception that no other request gets.
 * A unit that responds has nothing older left to send.
 */
export class UnitProbe {
  readonly #pdu = Uint8Array.of(diagnostics, returnQueryData >> 8, returnQueryData & 0xff, 0, 0);
  #number = 0;

  next(): Uint8Array {
    this.#number = (this.#number + 1) & 0xffff;
    this.#pdu[3] = this.#number >> 8;
    this.#pdu[4] = this.#number & 0xff;
    return this.#pdu;
  }

  /** Relation of a PDU to the last probe; `other_echo` is the response to an earlier one. */
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
