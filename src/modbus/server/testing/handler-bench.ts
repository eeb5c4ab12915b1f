import { bytesOf, hexOf } from '../../pdu/testing/bytes-of.ts';
import { DataModel } from '../data-model.ts';
import type { ExternalWrite, ServerHooks } from '../external-write.ts';
import type { RegisterMap } from '../register-map.ts';
import { RequestHandler, type RequestHandlerOptions } from '../request-handler.ts';
import { ServedUnit, ServedUnits } from '../served-unit.ts';
import { ServerCounters } from '../server-counters.ts';
import type { UnitFault } from '../unit-faults.ts';

/** A request handler that records its calls. */
export class HandlerBench {
  readonly model: DataModel;
  readonly counters = new ServerCounters();
  readonly hooks: ServerHooks;
  readonly defects: unknown[] = [];
  readonly written: ExternalWrite[] = [];
  readonly handler: RequestHandler;

  constructor(
    options: Partial<RequestHandlerOptions> & {
      readonly map?: RegisterMap;
      readonly check?: (write: ExternalWrite) => number | undefined;
    } = {},
  ) {
    const { map, check, ...rest } = options;
    this.model = new DataModel(map);
    this.hooks = {
      ...(check && { check }),
      written: (write) => void this.written.push(write),
    };
    this.handler = new RequestHandler({
      model: this.model,
      counters: this.counters,
      hooks: this.hooks,
      onDefect: (thrown) => void this.defects.push(thrown),
      ...rest,
    });
  }

  /** The handler as a unit, together with faulty ones. */
  unitsOf(unit: number, faulty: Readonly<Record<number, readonly UnitFault[]>> = {}): ServedUnits {
    const { handler, counters } = this;
    return new ServedUnits([
      new ServedUnit(unit, handler, counters),
      ...Object.entries(faulty).map(
        ([other, faults]) => new ServedUnit(Number(other), handler, counters, faults),
      ),
    ]);
  }

  /** Sends a request in hex, in the middle of other bytes, and returns the response in hex. */
  ask(hex: string): string {
    const pdu = bytesOf(hex);
    const bytes = new Uint8Array(pdu.length + 9).fill(0xee);
    bytes.set(pdu, 4);
    const into = new Uint8Array(300).fill(0xdd);
    const length = this.handler.handle(bytes, 4, pdu.length, into, 7);
    return hexOf(into.subarray(7, 7 + length));
  }
}
