import type { RequestHandler } from './request-handler.ts';
import type { ServerCounters } from './server-counters.ts';
import { type UnitFault, UnitFaults } from './unit-faults.ts';

export class ServedUnit {
  readonly unit: number;
  delayUs = 0;
  readonly #handler: RequestHandler;
  readonly #counters: ServerCounters;
  readonly #faults: UnitFaults | undefined;

  constructor(
    unit: number,
    handler: RequestHandler,
    counters: ServerCounters,
    faults: readonly UnitFault[] = [],
  ) {
    this.unit = unit;
    this.#handler = handler;
    this.#counters = counters;
    this.#faults = faults.length > 0 ? new UnitFaults(faults) : undefined;
  }

  /** Serves a request and writes the response PDU. Returns its length, or 0 without a response. */
  serve(bytes: Uint8Array, at: number, length: number, into: Uint8Array, intoAt: number): number {
    this.delayUs = 0;
    const fault = this.#faults?.find(bytes, at, length);
    return fault === undefined
      ? this.#handler.handle(bytes, at, length, into, intoAt)
      : this.#serveWithFault(fault, bytes, at, length, into, intoAt);
  }

  serveUnanswered(
    bytes: Uint8Array,
    at: number,
    length: number,
    into: Uint8Array,
    intoAt: number,
  ): void {
    const fault = this.#faults?.find(bytes, at, length);
    if (fault?.silent === true || fault?.exception !== undefined) {
      this.#handler.ignore(bytes[at] as number);
      this.#counters.faultsSilent += 1;
    } else this.#handler.serveUnanswered(bytes, at, length, into, intoAt);
  }

  #serveWithFault(
    { silent, delayMs, exception }: UnitFault,
    bytes: Uint8Array,
    at: number,
    length: number,
    into: Uint8Array,
    intoAt: number,
  ): number {
    const code = bytes[at] as number;
    if (silent === true) {
      this.#handler.ignore(code);
      this.#counters.faultsSilent += 1;
      return 0;
    }
    if (delayMs !== undefined) {
      this.delayUs = delayMs * 1000;
      this.#counters.faultsDelayed += 1;
    }
    if (exception === undefined) return this.#handler.handle(bytes, at, length, into, intoAt);
    this.#counters.faultsException += 1;
    return this.#handler.refuse(code, exception, into, intoAt);
  }
}

const unitIds = 256;

export class ServedUnits {
  readonly all: readonly ServedUnit[];
  readonly #byId: (ServedUnit | undefined)[] = new Array(unitIds).fill(undefined);

  constructor(units: readonly ServedUnit[]) {
    this.all = units;
    for (const served of units) this.#byId[served.unit] = served;
  }

  find(unit: number): ServedUnit | undefined {
    return this.#byId[unit];
  }

  serveUnanswered(
    bytes: Uint8Array,
    at: number,
    length: number,
    into: Uint8Array,
    intoAt: number,
  ): void {
    for (const served of this.all) served.serveUnanswered(bytes, at, length, into, intoAt);
  }
}
