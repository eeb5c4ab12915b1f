import { invalidArgument } from '../../base/errors/busbar-error.ts';
import type { BenchSource } from '../../bench/channel-table.ts';
import { masksOf } from '../../modbus/client/bit-change.ts';
import { ModbusClient } from '../../modbus/client/modbus-client.ts';
import { type DataTable, tableRows } from '../../modbus/pdu/data-tables.ts';
import { formatReference, type ItemAddress } from '../../modbus/pdu/references.ts';
import {
  registersOf,
  registersPerValue,
  requireBool,
  type ValueType,
  valueTexts,
} from '../../modbus/pdu/register-values.ts';
import type { WordOrder } from '../../modbus/pdu/word-order.ts';
import type { ModbusSession } from '../../modbus/session/modbus-session.ts';
import type { SessionPool } from '../../modbus/session/session-pool.ts';
import {
  type NamedEndpoint,
  type NamedItems,
  namedEndpoint,
  namedItem,
  valueTypeOf,
} from './modbus-target.ts';

interface UnitRequest extends NamedEndpoint, NamedItems {
  readonly unit: number;
  readonly timeout_ms?: number;
  readonly order?: WordOrder;
}

export interface ReadRequest extends UnitRequest {
  readonly count?: number;
}

export interface WriteRequest extends UnitRequest {
  readonly value?: readonly string[];
  readonly bit?: readonly string[];
  readonly multiple?: boolean;
}

/** What an answer says about the items, beside what is in them. */
export interface ItemsMeant {
  readonly item: ItemAddress;
  readonly type: ValueType;
  readonly order: WordOrder;
}

export const itemsMeant = (request: UnitRequest): ItemsMeant => {
  const item = namedItem(request);
  return { item, type: valueTypeOf(request.type, item.table), order: request.order ?? 'ABCD' };
};

/** How many items of its table so many values take. */
export const itemCount = ({ item, type }: ItemsMeant, values: number): number =>
  tableRows[item.table].holdsBits ? values : values * registersPerValue[type];

/** Bits are 0 and 1 among registers, and `true` and `false` among values. */
export const valuesIn = ({ item, type, order }: ItemsMeant, items: Uint16Array): string[] =>
  tableRows[item.table].holdsBits
    ? Array.from(items, (bit) => String(bit === 1))
    : [...valueTexts(type, order, items)];

const itemsOf = ({ item, type, order }: ItemsMeant, texts: readonly string[]): Uint16Array =>
  tableRows[item.table].holdsBits
    ? Uint16Array.from(texts, (text, index) => (requireBool(text, index) ? 1 : 0))
    : registersOf(type, order, texts);

const record = (session: ModbusSession, unit: number, meant: ItemsMeant, items: Uint16Array) => ({
  endpoint: session.endpoint,
  unit,
  table: meant.item.table,
  address: meant.item.address,
  reference: formatReference(meant.item),
  type: meant.type,
  order: meant.order,
  values: valuesIn(meant, items),
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

const requireRegister = (table: DataTable, { value, type }: WriteRequest): void => {
  if (value !== undefined) {
    throw invalidArgument('bit', 'bit changes what is there: leave out value', {
      reason: 'exclusive',
    });
  }
  if (type !== undefined && type !== 'u16') {
    throw invalidArgument('type', 'Bits are those of one register: leave out type', {
      reason: 'exclusive',
    });
  }
  if (table !== 'holding') {
    throw invalidArgument('table', 'Only holding registers have bits to change', {
      reason: 'not_in_table',
    });
  }
};

const withSignal = (signal: AbortSignal | undefined) => (signal ? { signal } : {});

/** Single requests to units, over the sessions that polls use too. */
export class ModbusRequests {
  readonly #pool: SessionPool;

  constructor(pool: SessionPool) {
    this.#pool = pool;
  }

  async read(request: ReadRequest, bench: BenchSource, signal?: AbortSignal) {
    const meant = itemsMeant(request);
    return this.#withUnit(request, bench, async (client) => {
      const { table, address } = meant.item;
      const count = itemCount(meant, request.count ?? 1);
      const items = await client.read(table, address, count, withSignal(signal));
      return record(client.session, request.unit, meant, items);
    });
  }

  async write(request: WriteRequest, bench: BenchSource, signal?: AbortSignal) {
    const meant = itemsMeant(request);
    const { value, bit, unit } = request;
    const { table, address } = meant.item;
    if (bit !== undefined) {
      requireRegister(table, request);
      const masks = masksOf(bitsOf(bit));
      return this.#withUnit(request, bench, async (client) => {
        const { after } = await client.changeBits(address, masks, withSignal(signal));
        return record(client.session, unit, meant, Uint16Array.of(after));
      });
    }
    if (value === undefined) {
      throw invalidArgument('value', 'value is required', { reason: 'missing' });
    }
    const items = itemsOf(meant, value);
    return this.#withUnit(request, bench, async (client) => {
      const asMultiple = request.multiple ?? false;
      await client.write(table, address, items, { asMultiple, ...withSignal(signal) });
      return record(client.session, unit, meant, items);
    });
  }

  async #withUnit<T>(
    request: UnitRequest,
    bench: BenchSource,
    use: (client: ModbusClient) => Promise<T>,
  ): Promise<T> {
    const lease = await this.#pool.acquire(await namedEndpoint(request, bench));
    try {
      return await use(new ModbusClient(lease.session, request.unit, request.timeout_ms));
    } finally {
      lease.release();
    }
  }
}
