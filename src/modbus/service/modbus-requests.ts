import type { Clock } from '../../base/clock/clock.ts';
import { type BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import type { BenchSource } from '../../bench/channel-table.ts';
import { type BitMasks, masksOf } from '../client/bit-change.ts';
import { ModbusClient } from '../client/modbus-client.ts';
import { type TypedItems, textsOf } from '../client/typed-items.ts';
import type { WireTrace } from '../client/wire-trace.ts';
import { requireUnit } from '../framing/unit-ids.ts';
import type { ValueNotation } from '../pdu/hex-values.ts';
import { roundingsOf } from '../pdu/register-values.ts';
import type { SessionPool } from '../session/session-pool.ts';
import { tuningOf } from '../session/unit-tuning.ts';
import { type AttemptOptions, attempt } from './attempts.ts';
import type { TargetRecord } from './item-record.ts';
import { type NamedEndpoint, namedEndpoint, withCallersEndpoint } from './named-endpoint.ts';
import {
  itemRecord,
  itemsToRead,
  itemsToWrite,
  type NamedItems,
  requestedItems,
  tableField,
} from './named-items.ts';
import type { AttemptRecord, ModbusReading, ModbusWriting } from './request-record.ts';

interface UnitRequest extends NamedEndpoint, NamedItems, AttemptOptions {
  readonly unit: number;
  readonly timeout_ms: number;
  readonly show: ValueNotation;
}

export interface ReadRequest extends UnitRequest {
  readonly count: number;
}

export interface WriteRequest extends UnitRequest {
  readonly value?: readonly string[];
  readonly bit?: readonly string[];
  readonly multiple: boolean;
}

const record = (
  named: TargetRecord,
  { unit, show }: UnitRequest,
  typed: TypedItems,
  items: Uint16Array,
): Omit<ModbusReading, keyof AttemptRecord> => ({
  ...itemRecord(named, unit, typed),
  values: textsOf(typed, items, show),
  registers: [...items],
});

const written = (typed: TypedItems, value: readonly string[]): Pick<ModbusWriting, 'rounded'> => ({
  rounded: [...roundingsOf(typed.type, value)],
});

const bitsOf = (texts: readonly string[]): Record<number, boolean> => {
  const bits: Record<number, boolean> = {};
  for (const text of texts) {
    const [bit = '', state] = text.split('=');
    if (Object.hasOwn(bits, bit)) {
      throw invalidArgument('bit', `Bit ${bit} is given more than once`, {
        reason: 'duplicate_key',
      });
    }
    bits[Number(bit)] = state === '1' || state === 'true';
  }
  return bits;
};

const besideBits = (field: string, message: string): BusbarError =>
  invalidArgument(field, message, { reason: 'exclusive' });

const bitChangeOf = (request: WriteRequest, bit: readonly string[]): BitMasks => {
  const { value, type, order } = request;
  if (value !== undefined) {
    throw besideBits('bit', 'bit changes the current value: omit value');
  }
  if (type !== undefined && type !== 'u16') {
    throw besideBits('type', 'bit applies to one register: omit type');
  }
  if (order !== undefined) {
    throw besideBits('order', 'bit numbers the bits of the register as it is: omit order');
  }
  return masksOf(bitsOf(bit));
};

interface Attempt {
  readonly client: ModbusClient;
  readonly options: { readonly signal?: AbortSignal; readonly wire?: WireTrace['listen'] };
  readonly named: TargetRecord;
}

export class ModbusRequests {
  readonly #pool: SessionPool;
  readonly #clock: Clock;

  constructor(pool: SessionPool, clock: Clock) {
    this.#pool = pool;
    this.#clock = clock;
  }

  async read(
    request: ReadRequest,
    bench: BenchSource,
    signal?: AbortSignal,
  ): Promise<ModbusReading> {
    const typed = requestedItems(request);
    const count = itemsToRead(typed, request, request.count);
    return this.#withUnit(request, bench, signal, async ({ client, options, named }) => {
      const items = await client.read(typed.table, typed.address, count, options);
      return record(named, request, typed, items);
    });
  }

  async write(
    request: WriteRequest,
    bench: BenchSource,
    signal?: AbortSignal,
  ): Promise<ModbusWriting> {
    const { value, bit } = request;
    if (bit !== undefined) return this.#writeBits(request, bit, bench, signal);
    const typed = requestedItems(request);
    if (value === undefined) {
      throw invalidArgument('value', 'value is required', { reason: 'missing' });
    }
    const items = itemsToWrite(typed, request, value);
    const asMultiple = request.multiple;
    return this.#withUnit(request, bench, signal, async ({ client, options, named }) => {
      await client.write(typed.table, typed.address, items, { asMultiple, ...options });
      return { ...record(named, request, typed, items), ...written(typed, value) };
    });
  }

  async #writeBits(
    request: WriteRequest,
    bit: readonly string[],
    bench: BenchSource,
    signal?: AbortSignal,
  ): Promise<ModbusWriting> {
    const masks = bitChangeOf(request, bit);
    const typed = requestedItems(request);
    if (typed.table !== 'holding') {
      throw invalidArgument(tableField(request), 'Only holding registers have bits to change', {
        reason: 'not_in_table',
      });
    }
    const asMultiple = request.multiple;
    return this.#withUnit(request, bench, signal, async ({ client, options, named }) => {
      const change = { asMultiple, ...options };
      const { after } = await client.changeBits(typed.address, masks, change);
      return { ...record(named, request, typed, Uint16Array.of(after)), ...written(typed, []) };
    });
  }

  async #withUnit<T>(
    request: UnitRequest,
    bench: BenchSource,
    signal: AbortSignal | undefined,
    use: (attempt: Attempt) => Promise<T>,
  ): Promise<T & AttemptRecord> {
    const { endpoint, named } = await namedEndpoint(request, bench);
    requireUnit(endpoint.kind, request.unit);
    try {
      const lease = await this.#pool.acquire(endpoint);
      const { unit, timeout_ms } = request;
      const client = new ModbusClient(lease.session, unit, timeout_ms, tuningOf(endpoint, unit));
      try {
        return await attempt(request, this.#clock, signal, (trace) => {
          const options = { ...(signal && { signal }), ...(trace && { wire: trace.listen }) };
          return use({ client, options, named });
        });
      } finally {
        lease.release();
      }
    } catch (thrown) {
      throw withCallersEndpoint(named, thrown);
    }
  }
}
