import { invalidArgument } from '../../base/errors/busbar-error.ts';
import { type DataTable, tableRows } from '../pdu/data-tables.ts';
import {
  maskWriteRequest,
  readRequest,
  requireWritable,
  writeCoilRequest,
  writeCoilsRequest,
  writeRegisterRequest,
  writeRegistersRequest,
} from '../pdu/make-request.ts';
import { packBits } from '../pdu/packed-bits.ts';
import type { ModbusRequest } from '../pdu/requests.ts';
import type { GoodResponse, WireListener } from '../session/exchange.ts';
import type { ModbusSession } from '../session/modbus-session.ts';
import type { UnitTuning } from '../session/unit-tuning.ts';
import { BitChange, type BitMasks, type ChangedRegister } from './bit-change.ts';
import { type CallTarget, perform, SingleCall } from './call.ts';
import { defaultTimeoutMs } from './client-defaults.ts';
import { itemsOf, nothingOf } from './readings.ts';

export interface CallOptions {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly wire?: WireListener;
}

export interface WriteOptions extends CallOptions {
  /** Uses the function for several items even for one, because some devices support no other. */
  readonly asMultiple?: boolean;
}

export class ModbusClient {
  readonly session: ModbusSession;
  readonly unit: number;
  readonly #target: CallTarget;

  constructor(
    session: ModbusSession,
    unit: number,
    timeoutMs = defaultTimeoutMs,
    tuning?: UnitTuning,
  ) {
    this.session = session;
    this.unit = unit;
    this.#target = { session, unit, timeoutMs, tuning };
  }

  read(
    table: DataTable,
    address: number,
    count: number,
    options?: CallOptions,
  ): Promise<Uint16Array> {
    // Not `async`: a second promise would cost as much as the rest of this function.
    try {
      return this.#call(readRequest(table, address, count), itemsOf, options);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /**
   * Writes coils (0 and 1) or holding registers. A single one is written with function 05 or
   * 06.
   */
  async write(
    table: DataTable,
    address: number,
    items: Uint16Array,
    { asMultiple = false, ...options }: WriteOptions = {},
  ): Promise<void> {
    requireWritable(table);
    const { holdsBits } = tableRows[table];
    const [first] = items;
    const isSingle = items.length === 1 && first !== undefined && !asMultiple;
    const request = holdsBits
      ? this.#writeBits(address, items, isSingle)
      : isSingle
        ? writeRegisterRequest(address, first)
        : writeRegistersRequest(address, items);
    return this.#call(request, nothingOf, options);
  }

  /**
   * Changes bits by reading and writing back, without another request in between. Writes
   * nothing if the read fails.
   */
  async changeBits(
    address: number,
    masks: BitMasks,
    { asMultiple = false, ...options }: WriteOptions = {},
  ): Promise<ChangedRegister> {
    const { andMask, orMask } = masks;
    maskWriteRequest(address, andMask, orMask);
    const target = this.#targetFor(options);
    return perform(target, new BitChange(target, address, masks, asMultiple));
  }

  #writeBits(address: number, items: Uint16Array, isSingle: boolean): ModbusRequest {
    const wrong = items.findIndex((item) => item > 1);
    if (wrong >= 0) {
      throw invalidArgument('value', 'A coil is 0 or 1', { index: wrong, reason: 'range' });
    }
    if (isSingle) return writeCoilRequest(address, items[0] === 1);
    const bits = Array.from(items, (item) => item === 1);
    return writeCoilsRequest(address, items.length, packBits(bits));
  }

  #call<Result>(
    request: ModbusRequest,
    reading: (response: GoodResponse) => Result,
    options: CallOptions | undefined,
  ): Promise<Result> {
    const target = this.#targetFor(options);
    return perform(target, new SingleCall(target, request, reading));
  }

  #targetFor(options: CallOptions | undefined): CallTarget {
    if (options === undefined) return this.#target;
    const { timeoutMs = this.#target.timeoutMs, signal, wire } = options;
    return { ...this.#target, timeoutMs, signal, wire };
  }
}
