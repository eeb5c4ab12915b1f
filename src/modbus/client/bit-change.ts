import { invalidArgument } from '../../base/errors/busbar-error.ts';
import { readRequest, writeRegisterRequest, writeRegistersRequest } from '../pdu/make-request.ts';
import { type ModbusRequest, maskedValue } from '../pdu/requests.ts';
import { wordAt } from '../pdu/wire-words.ts';
import type { GoodResponse } from '../session/exchange.ts';
import { Call, type CallTarget } from './call.ts';

/** Preserves the bits set in the AND mask; the other bits are copied from the OR mask. */
export interface BitMasks {
  readonly andMask: number;
  readonly orMask: number;
}

export interface ChangedRegister {
  readonly before: number;
  readonly after: number;
}

const bitsPerRegister = 16;
const allBits = 0xffff;

/** Masks that set single bits (bit 0 is the lowest) and preserve the others. */
export const masksOf = (bits: Readonly<Record<number, boolean>>): BitMasks => {
  let andMask = allBits;
  let orMask = 0;
  for (const [key, on] of Object.entries(bits)) {
    const bit = Number(key);
    if (!Number.isInteger(bit) || bit < 0 || bit >= bitsPerRegister) {
      throw invalidArgument('bit', 'bit is an integer from 0 to 15', { reason: 'range' });
    }
    andMask &= ~(1 << bit);
    if (on) orMask |= 1 << bit;
  }
  return { andMask, orMask };
};

/**
 * Reads a holding register, changes bits and writes it back, without another request in
 * between. For devices without mask write.
 */
export class BitChange extends Call<ChangedRegister> {
  readonly #address: number;
  readonly #masks: BitMasks;
  readonly #asMultiple: boolean;
  #before = 0;
  #after = 0;

  constructor(target: CallTarget, address: number, masks: BitMasks, asMultiple: boolean) {
    super(target, readRequest('holding', address, 1));
    this.#address = address;
    this.#masks = masks;
    this.#asMultiple = asMultiple;
  }

  answered(response: GoodResponse): ModbusRequest | undefined {
    if (response.kind === 'registers') {
      this.#before = wordAt(response.data, response.dataAt);
      this.#after = maskedValue(this.#before, this.#masks.andMask, this.#masks.orMask);
      return this.#asMultiple
        ? writeRegistersRequest(this.#address, Uint16Array.of(this.#after))
        : writeRegisterRequest(this.#address, this.#after);
    }
    this.fulfil({ before: this.#before, after: this.#after });
    return undefined;
  }
}
