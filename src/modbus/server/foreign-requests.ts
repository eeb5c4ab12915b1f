import { decodeRequest, type RefusedRequest } from '../pdu/decode-request.ts';
import { decodeResponse } from '../pdu/decode-response.ts';
import { exceptionCodes } from '../pdu/exception-codes.ts';
import { exceptionFlag } from '../pdu/function-codes.ts';
import type { ModbusRequest } from '../pdu/requests.ts';

/**
 * Tells requests to other units on a line from what those answer. Nothing in a frame says which it
 * is, and a framing may have passed over the answer already; so a frame is an answer where it fits
 * the request before it.
 */
export class ForeignRequests {
  #unit = 0;
  #asked: ModbusRequest | RefusedRequest | undefined;

  /** Takes notice of a frame of another unit, and tells whether it is a request. */
  take(unit: number, bytes: Uint8Array, at: number, length: number): boolean {
    const asked = unit === this.#unit ? this.#asked : undefined;
    this.#asked = undefined;
    // An exception is one even where its request was not heard.
    if (((bytes[at] as number) & exceptionFlag) !== 0) return false;
    if (asked !== undefined && isAnswer(asked, bytes, at, length)) return false;
    this.#unit = unit;
    this.#asked = decodeRequest(bytes, at, length);
    return true;
  }

  /** Another frame has come: what was asked before it is answered no more. */
  forget(): void {
    this.#asked = undefined;
  }
}

const isAnswer = (
  asked: ModbusRequest | RefusedRequest,
  bytes: Uint8Array,
  at: number,
  length: number,
): boolean => {
  if (asked.kind !== 'refused') return decodeResponse(asked, bytes, at, length).kind !== 'flawed';
  // What no unit can serve gets an exception. Of a function that is not known here all that can be
  // said is that a bare code asks.
  const isUnknown = asked.exception === exceptionCodes.illegal_function;
  return isUnknown && bytes[at] === asked.function && length > 1;
};
