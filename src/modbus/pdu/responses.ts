import type { IdentityObject } from './device-identity.ts';

/** Packed bits at `dataAt` of `data`, which is the frame. */
export interface BitsResponse {
  readonly kind: 'bits';
  readonly count: number;
  readonly data: Uint8Array;
  readonly dataAt: number;
}

/** Registers, high byte first, at `dataAt` of `data`, which is the frame. */
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
  /** Next object to request; null at the end. */
  readonly nextObjectId: number | null;
}

export interface ExceptionResponse {
  readonly kind: 'exception';
  readonly exception: number;
}

export type ResponseError =
  | 'function'
  | 'length'
  | 'byte_count'
  | 'address'
  | 'count'
  | 'value'
  | 'interface'
  | 'objects';

/** Not a response to the request: a protocol error, or a response to another request. */
export interface InvalidResponse {
  readonly kind: 'invalid';
  readonly error: ResponseError;
  readonly message: string;
}

export type ModbusResponse =
  | BitsResponse
  | RegistersResponse
  | WrittenResponse
  | IdentityResponse
  | ExceptionResponse
  | InvalidResponse;
