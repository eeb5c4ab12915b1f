import { product } from '../../base/product.ts';
import { tableOfRead } from '../pdu/data-tables.ts';
import { decodeRequest } from '../pdu/decode-request.ts';
import { type DeviceIdentity, deviceIdentity, identityObjectIds } from '../pdu/device-identity.ts';
import {
  encodeException,
  encodeIdentity,
  encodeRead,
  encodeWritten,
  readHeadLength,
} from '../pdu/encode-response.ts';
import { exceptionCodes } from '../pdu/exception-codes.ts';
import { allFunctions, exceptionFlag, writeFunctions } from '../pdu/function-codes.ts';
import { alignBits, packedLength } from '../pdu/packed-bits.ts';
import {
  type ModbusRequest,
  maskedValue,
  type ReadBits,
  type ReadRegisters,
  type ReadWriteRegisters,
  type WriteRequest,
} from '../pdu/requests.ts';
import { readRegisters } from '../pdu/wire-words.ts';
import type { DataModel } from './data-model.ts';
import type { ExternalWrite, ServerHooks } from './external-write.ts';
import type { ServerCounters } from './server-counters.ts';

const text = new TextEncoder();

const productIdentity: DeviceIdentity = deviceIdentity([
  { id: identityObjectIds.vendor_name, value: text.encode(product.name) },
  { id: identityObjectIds.product_code, value: text.encode('busbar-modbus-server') },
  { id: identityObjectIds.revision, value: text.encode(product.version) },
  { id: identityObjectIds.product_name, value: text.encode(`${product.name} Modbus server`) },
]);

export interface RequestHandlerOptions {
  readonly model: DataModel;
  readonly counters: ServerCounters;
  readonly hooks?: ServerHooks;
  readonly identity?: DeviceIdentity;
  /** Supported functions. Others get exception 01. */
  readonly functions?: ReadonlySet<number>;
  readonly onDefect: (thrown: unknown) => void;
}

const accepted = 0;

/**
 * Serves requests from a data model. Checks follow the order of the application protocol. A
 * write is checked as a whole before the first item changes.
 */
export class RequestHandler {
  readonly #model: DataModel;
  readonly #counters: ServerCounters;
  readonly #hooks: ServerHooks;
  readonly #identity: DeviceIdentity;
  readonly #functions: ReadonlySet<number>;
  readonly #onDefect: (thrown: unknown) => void;

  constructor(options: RequestHandlerOptions) {
    this.#model = options.model;
    this.#counters = options.counters;
    this.#hooks = options.hooks ?? {};
    this.#identity = options.identity ?? productIdentity;
    this.#functions = options.functions ?? allFunctions;
    this.#onDefect = options.onDefect;
  }

  handle(bytes: Uint8Array, at: number, length: number, into: Uint8Array, intoAt: number): number {
    const answered = this.serveUnanswered(bytes, at, length, into, intoAt);
    const isException = ((into[intoAt] as number) & exceptionFlag) !== 0;
    if (isException) this.#count(this.#counters.exceptions, into[intoAt + 1] as number);
    return answered;
  }

  refuse(functionCode: number, exception: number, into: Uint8Array, intoAt: number): number {
    this.ignore(functionCode);
    this.#count(this.#counters.exceptions, exception);
    return this.#refuse(into, intoAt, functionCode, exception);
  }

  ignore(functionCode: number): void {
    this.#count(this.#counters.requests, functionCode);
  }

  serveUnanswered(
    bytes: Uint8Array,
    at: number,
    length: number,
    into: Uint8Array,
    intoAt: number,
  ): number {
    const request = decodeRequest(bytes, at, length, this.#functions);
    this.#count(this.#counters.requests, request.function);
    if (request.kind === 'refused') {
      return this.#refuse(into, intoAt, request.function, request.exception);
    }
    if (this.#hooks.isReady?.() === false) {
      return this.#refuse(into, intoAt, request.function, exceptionCodes.device_busy);
    }
    return this.#serve(request, into, intoAt);
  }

  #serve(request: ModbusRequest, into: Uint8Array, at: number): number {
    switch (request.kind) {
      case 'read_bits':
      case 'read_registers':
        return this.#read(request, into, at);
      case 'read_write_registers':
        return this.#readWrite(request, into, at);
      case 'identify':
        return encodeIdentity(into, at, request, this.#identity);
      default:
        return this.#write(request, into, at);
    }
  }

  #read(request: ReadBits | ReadRegisters, into: Uint8Array, at: number): number {
    const { function: code, address, count } = request;
    const table = tableOfRead(code);
    if (!this.#model.access[table].readable.covers(address, count)) {
      return this.#refuseAddress(into, at, code);
    }
    const read = this.#model.tables[table].encode(into, at + readHeadLength, address, count);
    return encodeRead(into, at, code, read);
  }

  #write(request: WriteRequest, into: Uint8Array, at: number): number {
    const table = tableOfWrite(request);
    const count = 'count' in request ? request.count : 1;
    if (!this.#model.access[table].writable.covers(request.address, count)) {
      return this.#refuseAddress(into, at, request.function);
    }
    const exception = this.#change(this.#wanted(request));
    if (exception !== accepted) return this.#refuse(into, at, request.function, exception);
    return encodeWritten(into, at, request);
  }

  /** The write is executed first, but only if the read is possible. */
  #readWrite(request: ReadWriteRegisters, into: Uint8Array, at: number): number {
    const { readable, writable } = this.#model.access.holding;
    const canRead = readable.covers(request.address, request.count);
    if (!canRead || !writable.covers(request.writeAddress, request.writeCount)) {
      return this.#refuseAddress(into, at, request.function);
    }
    const registers = new Uint16Array(request.writeCount);
    readRegisters(request.data, request.dataAt, request.writeCount, registers);
    const exception = this.#change({
      table: 'holding',
      function: request.function,
      address: request.writeAddress,
      count: request.writeCount,
      registers,
    });
    if (exception !== accepted) return this.#refuse(into, at, request.function, exception);
    const { address, count } = request;
    const read = this.#model.tables.holding.encode(into, at + readHeadLength, address, count);
    return encodeRead(into, at, request.function, read);
  }

  #wanted(request: WriteRequest): ExternalWrite {
    const { function: code, address } = request;
    switch (request.kind) {
      case 'write_coil': {
        const bits = Uint8Array.of(request.on ? 1 : 0);
        return { table: 'coil', function: code, address, count: 1, bits };
      }
      case 'write_coils': {
        const { count, data, dataAt } = request;
        const bits = new Uint8Array(packedLength(count));
        alignBits(data, 8 * dataAt, count, bits, 0);
        return { table: 'coil', function: code, address, count, bits };
      }
      case 'write_register': {
        const registers = Uint16Array.of(request.value);
        return { table: 'holding', function: code, address, count: 1, registers };
      }
      case 'write_registers': {
        const registers = new Uint16Array(request.count);
        readRegisters(request.data, request.dataAt, request.count, registers);
        return { table: 'holding', function: code, address, count: request.count, registers };
      }
      case 'mask_write': {
        const old = this.#model.tables.holding.get(address);
        const registers = Uint16Array.of(maskedValue(old, request.andMask, request.orMask));
        return { table: 'holding', function: code, address, count: 1, registers };
      }
    }
  }

  #change(write: ExternalWrite): number {
    const exception = this.#check(write);
    if (exception !== accepted) return exception;
    const { tables } = this.#model;
    if (write.table === 'coil') tables.coil.write(write.address, write.count, write.bits);
    else tables.holding.write(write.address, write.registers);
    try {
      this.#hooks.written?.(write);
    } catch (thrown) {
      this.#onDefect(thrown);
    }
    return accepted;
  }

  #check(write: ExternalWrite): number {
    try {
      return this.#hooks.check?.(write) ?? accepted;
    } catch (thrown) {
      this.#onDefect(thrown);
      return exceptionCodes.device_failure;
    }
  }

  #refuseAddress(into: Uint8Array, at: number, functionCode: number): number {
    return this.#refuse(into, at, functionCode, exceptionCodes.illegal_data_address);
  }

  #refuse(into: Uint8Array, at: number, functionCode: number, exception: number): number {
    if (writeFunctions.has(functionCode)) this.#counters.refusedWrites += 1;
    return encodeException(into, at, functionCode, exception);
  }

  #count(counts: Float64Array, code: number): void {
    counts[code] = (counts[code] as number) + 1;
  }
}

const tableOfWrite = ({ kind }: WriteRequest): 'coil' | 'holding' =>
  kind === 'write_coil' || kind === 'write_coils' ? 'coil' : 'holding';
