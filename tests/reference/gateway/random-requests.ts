import { linearCodecOf, type ResourceRow, registerBindingsOf, type Tables } from './project.ts';
import type { Random } from './random.ts';
import { meaningfulRaw } from './random-codecs.ts';
import { addressesOf, isRegister, itemsOfBit, itemsOfRaw } from './registers.ts';
import { type Read, readsOf } from './requests.ts';
import type { ScriptEvent } from './script.ts';

type PollEvent = Extract<ScriptEvent, { kind: 'poll' }>;
type WriteEvent = Extract<ScriptEvent, { kind: 'client_write' }>;

/** How a unit responds to a read for a while, and how often it occurs. */
const moods = { answers: 12, refuses: 4, 'is silent': 4 };

interface PolledRead extends Read {
  mood: keyof typeof moods;
}

const endOf = (resource: ResourceRow): number => resource.address + addressesOf(resource);

/** The peers on the links: polled units, and clients of the servers. */
export class RandomRequests {
  readonly #random: Random;
  readonly #tables: Tables;
  readonly #reads: readonly PolledRead[];

  constructor(random: Random, tables: Tables) {
    this.#random = random;
    this.#tables = tables;
    this.#reads = readsOf(tables).map((read) => ({ ...read, mood: 'answers' }));
  }

  get hasReads(): boolean {
    return this.#reads.length > 0;
  }

  get hasWrites(): boolean {
    return this.#tables.modbus_resources.some(({ access }) => access === 'external');
  }

  /** The next response of a unit; undefined if it is silent, or no connected unit is polled. */
  nextAnswer(atUs: number, isUp: (endpoint: string) => boolean): PollEvent | undefined {
    const reads = this.#reads.filter(({ endpoint }) => isUp(endpoint));
    if (reads.length === 0) return undefined;
    const read = this.#random.pick(reads);
    if (this.#random.chance(0.2)) read.mood = this.#random.weighted(moods);
    if (read.mood === 'is silent') return undefined;
    const { resources, mood, ...request } = read;
    const event = { kind: 'poll', atUs, ...request } as const;
    if (mood === 'refuses') return { ...event, exception: true };
    return { ...event, items: this.#items(resources, request.address, request.count) };
  }

  /** The next write of a client, which the server may reject. */
  nextWrite(atUs: number, isUp: (endpoint: string) => boolean): WriteEvent | undefined {
    const random = this.#random;
    const external = this.#tables.modbus_resources.filter(
      ({ access, endpoint }) => access === 'external' && isUp(endpoint),
    );
    if (external.length === 0) return undefined;
    const { endpoint, table } = random.pick(external);
    const there = external
      .filter((row) => row.endpoint === endpoint && row.table === table)
      .sort((a, b) => a.address - b.address);
    const first = random.integer(0, there.length - 1);
    const chosen = there.slice(first, first + random.pick([1, 1, 2, 4]));
    const from = (chosen[0]?.address ?? 0) - (random.chance(0.05) ? 1 : 0);
    const to = Math.max(...chosen.map(endOf)) + random.pick([...Array(18).fill(0), -1, 1]);
    const [address, count] = [Math.max(0, from), Math.max(1, to - Math.max(0, from))];
    const items = this.#items(there, address, count);
    return {
      kind: 'client_write',
      atUs,
      endpoint,
      table: table === 'coil' ? 'coil' : 'holding',
      address,
      items,
    };
  }

  /** Items from an address, mostly with meaningful raw values. */
  #items(resources: readonly ResourceRow[], address: number, count: number): number[] {
    const random = this.#random;
    const max = resources.every(isRegister) ? 0xffff : 1;
    const fill = random.pick([0, 0, max, 'random'] as const);
    const items = Array.from({ length: count }, () =>
      fill === 'random' ? random.integer(0, max) : fill,
    );
    for (const resource of resources) {
      if (random.chance(0.15)) continue;
      this.#itemsOf(resource).forEach((item, place) => {
        const at = resource.address + place - address;
        if (at < 0 || at >= count) return;
        const { bit_offset: bit } = resource;
        items[at] = bit === undefined ? item : ((items[at] ?? 0) & ~(1 << bit)) | item;
      });
    }
    return items;
  }

  #itemsOf(resource: ResourceRow): number[] {
    const bindings = registerBindingsOf(this.#tables).filter((row) => row.resource === resource.id);
    if (bindings.length === 0) return itemsOfBit(resource, this.#random.chance(0.8));
    const codec = linearCodecOf(this.#tables, this.#random.pick(bindings));
    return itemsOfRaw(resource, codec, meaningfulRaw(this.#random, codec));
  }
}
