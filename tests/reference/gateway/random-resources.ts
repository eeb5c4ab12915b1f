import type { ModbusTable, ResourceRow } from './project.ts';
import type { ProjectDraft } from './project-draft.ts';
import type { Random } from './random.ts';

type Access = ResourceRow['access'];

const tablesOf: Readonly<Record<Access, readonly ModbusTable[]>> = {
  poll: ['coil', 'discrete', 'holding', 'input'],
  serve: ['coil', 'discrete', 'holding', 'input'],
  write: ['coil', 'holding'],
  external: ['coil', 'holding'],
};

const isBits = (table: ModbusTable): boolean => table === 'coil' || table === 'discrete';

/** Resources of one endpoint, some adjacent and some with a gap between them. */
export class ResourceLayout {
  readonly endpoint: string;
  readonly #random: Random;
  readonly #draft: ProjectDraft;
  /** The next address of a table. */
  readonly #ends = new Map<ModbusTable, number>();
  /** Poll periods of an endpoint: only a few, so that resources can share reads. */
  readonly #pollPeriods: readonly Pick<ResourceRow, 'poll_ms'>[];

  constructor(random: Random, draft: ProjectDraft, endpoint: string) {
    this.endpoint = endpoint;
    this.#random = random;
    this.#draft = draft;
    this.#pollPeriods = [
      { poll_ms: random.pick([10, 20, 50]) },
      random.pick([{ poll_ms: 10 }, { poll_ms: 100 }, {}]),
    ];
  }

  get #own(): readonly ResourceRow[] {
    return this.#draft.tables.modbus_resources.filter(({ endpoint }) => endpoint === this.endpoint);
  }

  /** A resource with a 1-bit raw value, or 16 bits per register; in any table by default. */
  add(access: Access, bits: number, inTable?: ModbusTable): ResourceRow {
    const random = this.#random;
    const tables = tablesOf[access].filter((table) => bits === 1 || !isBits(table));
    const table = inTable ?? random.pick(tables);
    const isBitOfWord = bits === 1 && !isBits(table);
    const resource: ResourceRow = {
      id: this.#draft.name(access),
      endpoint: this.endpoint,
      table,
      ...(isBitOfWord ? this.#placeBit(table, access) : this.#place(table, access, bits)),
      access,
      ...(access === 'poll' ? this.#pollFields() : {}),
      ...(access === 'external'
        ? random.some(0.3, { stale_after_ms: random.pick([0, 20, 100]) })
        : {}),
    };
    this.#draft.tables.modbus_resources.push(resource);
    return resource;
  }

  /** Values without a gap, more than one request can carry, with small ones at the limit. */
  addLongRun(access: Access): readonly ResourceRow[] {
    const random = this.#random;
    const table = random.pick(tablesOf[access].filter((one) => !isBits(one)));
    const period = access === 'poll' ? random.pick(this.#pollPeriods) : {};
    const run: ResourceRow[] = [];
    let address = this.#next(table) + 1;
    for (let place = 0; place < 37; place += 1) {
      const count = place < 30 ? 4 : 1;
      const id = this.#draft.name(access);
      run.push({ id, endpoint: this.endpoint, table, address, count, access, ...period });
      address += count;
    }
    this.#ends.set(table, address);
    this.#draft.tables.modbus_resources.push(...run);
    return run;
  }

  #pollFields(): Partial<ResourceRow> {
    const random = this.#random;
    return {
      ...random.pick(this.#pollPeriods),
      ...random.some(0.4, { stale_after_ms: random.pick([0, 20, 50, 200]) }),
    };
  }

  #place(
    table: ModbusTable,
    access: Access,
    bits: number,
  ): Partial<ResourceRow> & { address: number } {
    const random = this.#random;
    const count = bits === 1 ? 1 : bits / 16;
    const polled = this.#own.filter((row) => row.access === 'poll' && row.table === table);
    if (access === 'poll' && polled.length > 0 && random.chance(0.15)) {
      // Reads may overlap.
      return { address: random.pick(polled).address, ...(count === 1 ? {} : { count }) };
    }
    const address = this.#next(table);
    this.#ends.set(table, address + count);
    return { address, ...(count === 1 && random.chance(0.7) ? {} : { count }) };
  }

  /** A bit of a word with other bits of the same access, or of the next word. */
  #placeBit(table: ModbusTable, access: Access): { address: number; bit_offset: number } {
    const random = this.#random;
    const words = this.#own.filter(
      (row) => row.table === table && row.access === access && row.bit_offset !== undefined,
    );
    const bit_offset = random.pick([0, 0, 1, 2, 3, 7, 8, 15]);
    if (words.length > 0 && random.chance(0.7)) {
      const { address } = random.pick(words);
      const isTaken = words.some((row) => row.address === address && row.bit_offset === bit_offset);
      if (!isTaken) return { address, bit_offset };
    }
    const address = this.#next(table);
    this.#ends.set(table, address + 1);
    return { address, bit_offset };
  }

  #next(table: ModbusTable): number {
    const random = this.#random;
    const end = this.#ends.get(table);
    if (end === undefined) return random.pick([0, 0, 10, 100, 40_000, 65_000]);
    return end + (random.chance(0.65) ? 0 : random.integer(1, 3));
  }
}
