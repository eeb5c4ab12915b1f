import type { IdentityObject } from './device-identity.ts';

/** Packed bits at `dataAt` of `data`, which is the frame itself. */
export interface BitsResponse {
  readonly kind: 'bits';
  readonly count: number;
  readonly data: Uint8Array;
  readonly dataAt: number;
}

/** Registers, high byte first, at `dataAt` of `data`, which is the frame itself. */
export interface RegistersResponse {
  readonly kind: 'registers';
  readonly count: number;
  readonly data: Uint8Array;
  readonly dataAt: number;
}

export interface WrittenResponse {
  readonly kind: 'written';
}

export interface IdentityResponse {
  readonly kind: 'identity';
  readonly conformity: number;
  readonly objects: readonly IdentityObject[];
  /** Where to ask on; null when this was all. */
  readonly nextObjectId: number | null;
}

export interface ExceptionResponse {
  readonly kind: 'exception';
  readonly exception: number;
}

/** What can be wrong with a response, by the part that is. */
export type ResponseFlaw =
  | 'function'
  | 'length'
  | 'byte_count'
  | 'address'
  | 'count'
  | 'value'
  | 'interface'
  | 'objects';

/** No answer to the request at all: the peer speaks the protocol wrongly, or answers another. */
export interface FlawedResponse {
  readonly kind: 'flawed';
  readonly flaw: ResponseFlaw;
  readonly message: string;
}

export type ModbusResponse =
  | BitsResponse
  | RegistersResponse
  | WrittenResponse
  | IdentityResponse
  | ExceptionResponse
  | FlawedResponse;
