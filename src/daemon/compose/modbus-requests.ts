import { type BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import type { BenchSource } from '../../bench/channel-table.ts';
import { type BitMasks, masksOf } from '../../modbus/client/bit-change.ts';
import { ModbusClient } from '../../modbus/client/modbus-client.ts';
import { type TypedItems, textsOf } from '../../modbus/client/typed-items.ts';
import { requireUnit } from '../../modbus/framing/unit-ids.ts';
import type { ModbusSession } from '../../modbus/session/modbus-session.ts';
import type { SessionPool } from '../../modbus/session/session-pool.ts';
import {
  itemRecord,
  itemsMeant,
  itemsToRead,
  itemsToWrite,
  type NamedItems,
  tableField,
} from './modbus-items.ts';
import { type NamedEndpoint, namedEndpoint } from './modbus-target.ts';

interface UnitRequest extends NamedEndpoint, NamedItems {
  readonly unit: number;
  readonly timeout_ms?: number;
}

export interface ReadRequest extends UnitRequest {
  readonly count?: number;
}

export interface WriteRequest extends UnitRequest {
  readonly value?: readonly string[];
  readonly bit?: readonly string[];
  readonly multiple?: boolean;
}

const record = (session: ModbusSession, unit: number, meant: TypedItems, items: Uint16Array) => ({
  ...itemRecord(session.endpoint, unit, meant),
  values: textsOf(meant, items),
  registers: [...items],
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

/** The change that a write with `bit` asks for; nothing that is said about values goes with it. */
const bitChangeOf = (request: WriteRequest, bit: readonly string[]): BitMasks => {
  const { value, type, order } = request;
  if (value !== undefined) {
    throw besideBits('bit', 'bit changes what is there: leave out value');
  }
  if (type !== undefined && type !== 'u16') {
    throw besideBits('type', 'Bits are those of one register: leave out type');
  }
  if (order !== undefined) {
    throw besideBits('order', 'Bits are counted in the register as it is: leave out order');
  }
  return masksOf(bitsOf(bit));
};

const withSignal = (signal: AbortSignal | undefined) => (signal ? { signal } : {});

const writeOptions = ({ multiple = false }: WriteRequest, signal: AbortSignal | undefined) => ({
  asMultiple: multiple,
  ...withSignal(signal),
});

/**
 * Single requests to units, over the sessions that polls use too. What is wrong with a request is
 * refused before its endpoint is looked up.
 */
export class ModbusRequests {
  readonly #pool: SessionPool;

  constructor(pool: SessionPool) {
    this.#pool = pool;
  }

  async read(request: ReadRequest, bench: BenchSource, signal?: AbortSignal) {
    const meant = itemsMeant(request);
    const count = itemsToRead(meant, request, request.count ?? 1);
    return this.#withUnit(request, bench, async (client) => {
      const items = await client.read(meant.table, meant.address, count, withSignal(signal));
      return record(client.session, request.unit, meant, items);
    });
  }

  async write(request: WriteRequest, bench: BenchSource, signal?: AbortSignal) {
    const { value, bit } = request;
    if (bit !== undefined) return this.#writeBits(request, bit, bench, signal);
    const meant = itemsMeant(request);
    if (value === undefined) {
      throw invalidArgument('value', 'value is required', { reason: 'missing' });
    }
    const items = itemsToWrite(meant, request, value);
    return this.#withUnit(request, bench, async (client) => {
      await client.write(meant.table, meant.address, items, writeOptions(request, signal));
      return record(client.session, request.unit, meant, items);
    });
  }

  async #writeBits(
    request: WriteRequest,
    bit: readonly string[],
    bench: BenchSource,
    signal?: AbortSignal,
  ) {
    const masks = bitChangeOf(request, bit);
    const meant = itemsMeant(request);
    if (meant.table !== 'holding') {
      throw invalidArgument(tableField(request), 'Only holding registers have bits to change', {
        reason: 'not_in_table',
      });
    }
    return this.#withUnit(request, bench, async (client) => {
      const { after } = await client.changeBits(
        meant.address,
        masks,
        writeOptions(request, signal),
      );
      return record(client.session, request.unit, meant, Uint16Array.of(after));
    });
  }

  async #withUnit<T>(
    request: UnitRequest,
    bench: BenchSource,
    use: (client: ModbusClient) => Promise<T>,
  ): Promise<T> {
    const endpoint = await namedEndpoint(request, bench);
    requireUnit(endpoint.kind, request.unit);
    const lease = await this.#pool.acquire(endpoint);
    try {
      return await use(new ModbusClient(lease.session, request.unit, request.timeout_ms));
    } finally {
      lease.release();
    }
  }
}
