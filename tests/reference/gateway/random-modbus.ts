import type { LinearCodecRow, ResourceRow, WriteTaskRow } from './project.ts';
import type { ProjectDraft, SignalDraft } from './project-draft.ts';
import type { Random } from './random.ts';
import { addInput } from './random-bindings.ts';
import { flagCodec, roundingCodec } from './random-codecs.ts';
import { registerCodec } from './random-register-codecs.ts';
import { ResourceLayout } from './random-resources.ts';
import { isOneBit, rawBitsOf } from './registers.ts';

type Access = ResourceRow['access'];

const anyBits = [1, 1, 1, 16, 16, 16, 32, 32, 48, 64] as const;

/** The Modbus endpoints of a generated project: inputs and outputs. */
export class RandomModbus {
  readonly #random: Random;
  readonly #draft: ProjectDraft;
  readonly #clients: readonly ResourceLayout[];
  readonly #servers: readonly ResourceLayout[];

  constructor(random: Random, draft: ProjectDraft) {
    this.#random = random;
    this.#draft = draft;
    const [clients, servers] = random.pick([
      [1, 0],
      [0, 1],
      [1, 1],
      [2, 0],
      [2, 1],
    ] as const);
    this.#clients = Array.from({ length: clients }, () => this.#addEndpoint('client'));
    this.#servers = Array.from({ length: servers }, () => this.#addEndpoint('server'));
  }

  #addEndpoint(role: 'client' | 'server'): ResourceLayout {
    const { endpoints } = this.#draft.tables;
    const id = this.#draft.name(role);
    // Units on one link differ.
    const node = endpoints.length + 1;
    const isShared = role === 'client' && this.#random.chance(0.5);
    endpoints.push({ id, kind: 'modbus', role, network: isShared ? 'line' : id, node });
    return new ResourceLayout(this.#random, this.#draft, id);
  }

  /** Inputs that are polled or written by clients. */
  addInputs(): void {
    for (const layout of this.#clients) {
      this.#addInputs(layout, 'poll');
      if (!this.#random.chance(0.04)) continue;
      for (const resource of layout.addLongRun('poll')) this.#bindInput(layout, resource);
    }
    for (const layout of this.#servers) this.#addInputs(layout, 'external');
  }

  #addInputs(layout: ResourceLayout, access: Access): void {
    const random = this.#random;
    for (let left = random.integer(1, 6); left > 0; left -= 1) {
      const resource = layout.add(access, random.pick(anyBits));
      this.#bindInput(layout, resource);
      // An input can be read by several bindings.
      if (random.chance(0.15)) this.#bindInput(layout, resource);
    }
  }

  #bindInput(layout: ResourceLayout, resource: ResourceRow): void {
    const random = this.#random;
    const codec = registerCodec(random, this.#draft, rawBitsOf(resource));
    const { id: signal } = addInput(random, this.#draft, codec);
    this.#bind(layout, resource, codec, signal, 'rx');
  }

  /** Binds a resource, sometimes with a validity bit. */
  #bind(
    layout: ResourceLayout,
    resource: ResourceRow,
    codec: LinearCodecRow,
    signal: string,
    direction: 'rx' | 'tx',
  ): void {
    const random = this.#random;
    const hasValidity = random.chance(0.25);
    this.#draft.tables.bindings.push({
      id: this.#draft.name(direction),
      signal,
      direction,
      resource: resource.id,
      codec: codec.id,
      ...(hasValidity ? { validity_bit: this.#validityFor(layout, resource, direction).id } : {}),
    });
  }

  /** A new bit; for inputs also one that is already used. */
  #validityFor(layout: ResourceLayout, resource: ResourceRow, direction: 'rx' | 'tx'): ResourceRow {
    const known = this.#draft.tables.modbus_resources.filter(
      (row) =>
        row.endpoint === layout.endpoint &&
        row.access === resource.access &&
        row !== resource &&
        isOneBit(row),
    );
    const isReused = direction === 'rx' && known.length > 0 && this.#random.chance(0.4);
    if (isReused) return this.#random.pick(known);
    // Often one request reads or writes both.
    return layout.add(resource.access, 1, this.#random.chance(0.6) ? resource.table : undefined);
  }

  /** Served resources, and those written by tasks. */
  addOutputs(): void {
    for (const layout of this.#servers) this.#addOutputs(layout, 'serve');
    for (const layout of this.#clients) {
      if (!this.#random.chance(0.85)) continue;
      this.#addOutputs(layout, 'write');
      if (this.#random.chance(0.04)) {
        for (const resource of layout.addLongRun('write')) this.#bindOutput(layout, resource);
      }
      this.#addTasks(layout.endpoint);
    }
  }

  #addOutputs(layout: ResourceLayout, access: Access): void {
    const random = this.#random;
    for (let left = random.integer(1, 6); left > 0; left -= 1) {
      const signal = random.pick(this.#draft.signals);
      const resource = layout.add(access, this.#bitsFor(signal));
      const codec = this.#codecFor(signal, rawBitsOf(resource));
      this.#bind(layout, resource, codec, signal.id, 'tx');
    }
  }

  #bindOutput(layout: ResourceLayout, resource: ResourceRow): void {
    const signal = this.#random.pick(this.#draft.signals.filter(({ isExact }) => isExact));
    this.#bind(layout, resource, this.#codecFor(signal, rawBitsOf(resource)), signal.id, 'tx');
  }

  #bitsFor(signal: SignalDraft): number {
    if (!signal.isExact) return 16;
    if (signal.type === 'bool' && this.#random.chance(0.8)) return 1;
    return this.#random.pick([1, 16, 16, 32, 32, 48, 64]);
  }

  #codecFor(signal: SignalDraft, bits: number): LinearCodecRow {
    if (!signal.isExact) return roundingCodec(this.#random, this.#draft);
    if (signal.type === 'bool' && bits === 1) return flagCodec(this.#random, this.#draft);
    return registerCodec(this.#random, this.#draft, bits);
  }

  /** One or two tasks for all written resources; all bits of a word belong to one task. */
  #addTasks(endpoint: string): void {
    const random = this.#random;
    const written = this.#draft.tables.modbus_resources.filter(
      (row) => row.endpoint === endpoint && row.access === 'write',
    );
    // Resources of a long request are not split.
    const isOne = written.length > 30 || random.chance(0.5);
    const parts: string[][] = isOne ? [[]] : [[], []];
    const partOfWord = new Map<string, string[]>();
    for (const { id, table, address } of random.shuffle(written)) {
      const word = `${table} ${address}`;
      const part = partOfWord.get(word) ?? random.pick(parts);
      partOfWord.set(word, part);
      part.push(id);
    }
    for (const resources of parts) if (resources.length > 0) this.#addTask(resources);
  }

  #addTask(resources: readonly string[]): void {
    const random = this.#random;
    const isOnChange = random.chance(0.5);
    const task: WriteTaskRow = {
      id: this.#draft.name('task'),
      resources,
      ...(isOnChange
        ? {
            policy: 'on_change',
            ...random.some(0.6, { min_interval_ms: random.pick([0, 10, 150]) }),
          }
        : {
            ...random.some(0.3, { policy: 'periodic' as const }),
            period_ms: random.pick([5, 10, 20, 50]),
          }),
    };
    this.#draft.tables.tx_tasks.push(task);
  }
}
