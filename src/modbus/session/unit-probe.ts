import { exceptionFlag } from '../pdu/function-codes.ts';

/** Diagnostics; subfunction 0 echoes its data. */
const diagnostics = 0x08;
const returnQueryData = 0x0000;

const pduLength = 5;

export type ProbeAnswer = 'none' | 'echo' | 'refusal' | 'other_echo';

/**
 * A request with a number in it. Serial answers do not identify their request; but the number
 * comes back, or a refusal that no other request gets. A unit that answers has nothing older
 * left to send.
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

  /** Relation of a PDU to the last probe; `other_echo` answers an earlier one. */
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
