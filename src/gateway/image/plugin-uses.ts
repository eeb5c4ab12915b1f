import type { Project } from '../project/project.ts';
import type { PluginKind, PluginRow } from '../project/tables/plugins.ts';
import type { SignalType } from '../project/tables/signals.ts';
import type { RowNumbers } from './row-numbers.ts';

export interface PluginShape {
  readonly inputs: readonly SignalType[];
  readonly outputs: readonly SignalType[];
  readonly taskLengths: readonly number[];
  readonly bitLength: number;
  readonly frameLength: number;
}

export const emptyShape: PluginShape = {
  inputs: [],
  outputs: [],
  taskLengths: [],
  bitLength: 0,
  frameLength: 0,
};

export interface UsedPlugin {
  readonly id: string;
  readonly kind: PluginKind;
  readonly library: string;
  readonly entry: string;
  readonly context: string;
  readonly uses: readonly PluginShape[];
}

class PluginUses {
  readonly #project: Project;
  readonly #rows: RowNumbers;
  readonly #uses = new Map<string, Map<string, PluginShape>>();

  constructor(project: Project, rows: RowNumbers) {
    this.#project = project;
    this.#rows = rows;
    this.#addMappings();
    this.#addCodecs();
    this.#addE2e();
    for (const plugin of project.plugins) {
      if (plugin.kind === 'processor') this.#addProcessor(plugin);
    }
  }

  of(plugin: string): PluginShape[] {
    return [...(this.#uses.get(plugin)?.values() ?? [])];
  }

  #add(plugin: string, shape: Partial<PluginShape>): void {
    const whole = { ...emptyShape, ...shape };
    const known = this.#uses.get(plugin) ?? new Map<string, PluginShape>();
    this.#uses.set(plugin, known.set(JSON.stringify(whole), whole));
  }

  #addMappings(): void {
    for (const { transform, inputs, outputs } of this.#project.mappings) {
      if (transform.kind !== 'native') continue;
      this.#add(transform.plugin, { inputs: this.#types(inputs), outputs: this.#types(outputs) });
    }
  }

  #addCodecs(): void {
    const bound = new Set(this.#project.bindings.map(({ codec }) => codec));
    for (const codec of this.#project.codecs) {
      if (codec.kind !== 'native' || !bound.has(codec.id)) continue;
      this.#add(codec.plugin, { bitLength: codec.bit_length ?? 0 });
    }
  }

  #addE2e(): void {
    const { e2e, codecs, pdus, messages } = this.#project;
    for (const { codec: id, pdu, message } of e2e) {
      const codec = codecs[this.#rows.of('codecs', id)];
      if (codec?.kind !== 'native') continue;
      const covered =
        pdu === undefined
          ? messages[this.#rows.of('messages', message ?? '')]
          : pdus[this.#rows.of('pdus', pdu)];
      this.#add(codec.plugin, { frameLength: covered?.length ?? 0 });
    }
  }

  #addProcessor({ id, inputs = [], outputs = [], send_tasks: tasks = [] }: PluginRow): void {
    const taskLengths = tasks.map((task) => this.#lengthOf(task));
    this.#add(id, { inputs: this.#types(inputs), outputs: this.#types(outputs), taskLengths });
  }

  #lengthOf(task: string): number {
    const { tx_tasks: tasks, messages } = this.#project;
    const { message = '' } = tasks[this.#rows.of('tx_tasks', task)] ?? {};
    return messages[this.#rows.of('messages', message)]?.length ?? 0;
  }

  #types(signals: readonly string[]): SignalType[] {
    return signals.map((id) => this.#project.signals[this.#rows.of('signals', id)]?.type ?? 'bool');
  }
}

export const usedPlugins = (project: Project, rows: RowNumbers): UsedPlugin[] => {
  const uses = new PluginUses(project, rows);
  return project.plugins.map(({ id, kind, library, entry, context }) => ({
    ...{ id, kind, library, entry },
    context: context?.text ?? '{}',
    uses: uses.of(id),
  }));
};
