import { computed, signal } from '@preact/signals';
import { type FlowGraph, type FlowNode, reachOf } from './graph/flow-graph.ts';
import { holdersOf, noHolder } from './graph/holders.ts';
import { betweenKey, firstFolding, foldable, shownGraphOf } from './graph/shown-graph.ts';
import { type FlowLayout, layFlowOut } from './layout/flow-layout.ts';
import { FlowReadings, type FlowSource, worse, worstOf } from './live/flow-readings.ts';
import { idle, type Reading } from './live/reading.ts';
import { boxSizes } from './view/node-text.ts';
import type { View } from './view/viewport.ts';

/** Shorter than a frame, so that the page stays responsive. */
const sliceMs = 8;

const pause = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve));

/** Runs a generator in time slices. Returns null if its result is no longer needed. */
const runSliced = async <T>(
  steps: Generator<void, T>,
  isWanted: () => boolean,
): Promise<T | null> => {
  for (;;) {
    const start = performance.now();
    while (performance.now() - start < sliceMs) {
      const step = steps.next();
      if (step.done) return isWanted() ? step.value : null;
    }
    await pause();
    if (!isWanted()) return null;
  }
};

/** An isolated path with at most this many nodes is shown expanded. */
const maxUnfolded = 400;

interface ShownReadings {
  readonly layout: FlowLayout | null;
  readonly version: number;
  readonly nodes: readonly Reading[];
  readonly edges: readonly Reading[];
}

export class FlowModel {
  readonly graph: FlowGraph;
  readonly readings: FlowReadings;
  readonly foldable: ReadonlySet<string>;
  readonly folded = signal<ReadonlySet<string>>(new Set());
  readonly followed = signal<number | null>(null);
  readonly selected = signal<number | null>(null);
  readonly layout = signal<FlowLayout | null>(null);
  readonly view = signal<View | null>(null);
  readonly readingsVersion = signal(0);
  readonly #holders: Int32Array;
  #run = 0;
  #shown: ShownReadings = { layout: null, version: -1, nodes: [], edges: [] };

  constructor(graph: FlowGraph) {
    this.graph = graph;
    this.readings = new FlowReadings(graph);
    this.#holders = holdersOf(graph);
    this.foldable = foldable(graph, this.#holders);
    this.folded.value = firstFolding(graph, this.#holders);
    void this.#arrange();
  }

  /** Path of the selected node among the shown ones: 1 for each node on it. */
  readonly marked = computed(() => {
    const layout = this.layout.value;
    const at = this.selected.value === null ? -1 : this.shownAs(this.selected.value);
    if (!layout || at < 0) return null;
    return reachOf(layout.shown, layout.shown.nodes.length, at);
  });

  node(number: number): FlowNode | undefined {
    return this.graph.nodes[number];
  }

  shownAs(node: number): number {
    const shown = this.layout.value?.shown;
    return shown?.shownAs[node] ?? shown?.nodes.indexOf(node) ?? -1;
  }

  refresh(source: FlowSource): void {
    this.readings.update(source);
    this.readingsVersion.value = this.readings.version;
  }

  /** Readings of shown nodes and edges: each shows the worst state of the nodes it represents. */
  shownReadings(): ShownReadings {
    const layout = this.layout.peek();
    const { nodes, edges, version } = this.readings;
    if (this.#shown.layout === layout && this.#shown.version === version) return this.#shown;
    const shown = layout?.shown;
    const worst: Reading[] = Array.from(shown?.nodes ?? [], () => idle);
    for (const [node, at] of shown?.shownAs.entries() ?? []) {
      if (at >= 0) worst[at] = worse(worst[at] ?? idle, nodes[node] ?? idle);
    }
    this.#shown = {
      ...{ layout, version, nodes: worst },
      edges: shown?.edges.map((all) => worstOf(all.map((edge) => edges[edge] ?? idle))) ?? [],
    };
    return this.#shown;
  }

  isFolded(node: number): boolean {
    return this.folded.value.has(this.node(node)?.key ?? betweenKey);
  }

  isFoldable(node: number): boolean {
    const key = this.node(node)?.key;
    return key === undefined || this.foldable.has(key);
  }

  toggle(node: number): void {
    const key = this.node(node)?.key ?? betweenKey;
    const folded = new Set(this.folded.peek());
    if (!folded.delete(key)) folded.add(key);
    this.fold(folded);
  }

  fold(keys: Iterable<string>): void {
    this.folded.value = new Set(keys);
    void this.#arrange();
  }

  foldAll(): void {
    this.fold([...this.foldable, betweenKey]);
  }

  follow(node: number | null): void {
    this.followed.value = node;
    if (node !== null) this.selected.value = node;
    void this.#arrange();
  }

  /** Selects a node and expands the nodes that contain it. */
  async reveal(node: number): Promise<void> {
    const folded = new Set(this.folded.peek());
    let isHidden = false;
    for (
      let at = this.#holders[node] ?? noHolder;
      at !== noHolder;
      at = this.#holders[at] ?? noHolder
    ) {
      isHidden = folded.delete(this.node(at)?.key ?? '') || isHidden;
    }
    const isFree = this.node(node)?.side === 'between' && this.#holders[node] === noHolder;
    if (isFree) isHidden = folded.delete(betweenKey) || isHidden;
    if (this.shownAs(node) < 0) this.followed.value = null;
    this.selected.value = node;
    if (!isHidden && this.shownAs(node) >= 0) return;
    this.folded.value = folded;
    await this.#arrange();
  }

  async #arrange(): Promise<void> {
    this.#run += 1;
    const run = this.#run;
    const followed = this.followed.peek();
    const { graph } = this;
    const only = followed === null ? null : reachOf(graph, graph.nodes.length, followed);
    const isFew = only !== null && only.reduce((sum, mark) => sum + mark, 0) <= maxUnfolded;
    const folded = isFew ? new Set<string>() : this.folded.peek();
    const shown = shownGraphOf(graph, this.#holders, { folded, only });
    const steps = layFlowOut(graph, shown, boxSizes(graph, shown, this.foldable));
    const layout = await runSliced(steps, () => run === this.#run);
    if (layout) this.layout.value = layout;
  }
}
