import { computed, signal } from '@preact/signals';
import type { FlowGraph, FlowNode } from './graph/flow-graph.ts';
import { holdersOf, nobody } from './graph/holders.ts';
import { reachOf } from './graph/reach.ts';
import { betweenKey, firstFolding, foldable, shownGraphOf } from './graph/shown-graph.ts';
import { type FlowLayout, layFlowOut } from './layout/flow-layout.ts';
import { FlowReadings } from './live/flow-readings.ts';
import { boxWidths } from './view/node-text.ts';
import { runSliced } from './view/run-sliced.ts';

/** What is followed is shown unfolded, unless there is more of it than can be read. */
const mostUnfolded = 400;

/** The flow of one instance: its graph, what is folded and followed of it, and where it is drawn. */
export class FlowModel {
  readonly graph: FlowGraph;
  readonly readings: FlowReadings;
  readonly foldable: ReadonlySet<string>;
  readonly folded = signal<ReadonlySet<string>>(new Set());
  /** The node whose way alone is shown. */
  readonly followed = signal<number | null>(null);
  /** The node that details are shown of; its way is marked. */
  readonly selected = signal<number | null>(null);
  readonly layout = signal<FlowLayout | null>(null);
  /** Changes with the readings of any node or edge. */
  readonly readingsVersion = signal(0);
  readonly #holders: Int32Array;
  #run = 0;

  constructor(graph: FlowGraph) {
    this.graph = graph;
    this.readings = new FlowReadings(graph);
    this.#holders = holdersOf(graph);
    this.foldable = foldable(graph, this.#holders);
    this.folded.value = firstFolding(graph, this.#holders);
    void this.#arrange();
  }

  /** The way of the selected node among what is shown: 1 for each node of it; null without one. */
  readonly marked = computed(() => {
    const layout = this.layout.value;
    const at = this.selected.value === null ? -1 : this.shownAs(this.selected.value);
    if (!layout || at < 0) return null;
    return reachOf(layout.shown, layout.shown.nodes.length, at);
  });

  node(number: number): FlowNode | undefined {
    return this.graph.nodes[number];
  }

  /** Which shown node stands for a node; -1 if none does. */
  shownAs(node: number): number {
    return this.layout.value?.shown.shownAs[node] ?? -1;
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

  /** Everything that can be folded. */
  foldAll(): void {
    this.fold([...this.foldable, betweenKey]);
  }

  follow(node: number | null): void {
    this.followed.value = node;
    if (node !== null) this.selected.value = node;
    void this.#arrange();
  }

  /** Selects a node, and unfolds what holds it. */
  async reveal(node: number): Promise<void> {
    const folded = new Set(this.folded.peek());
    let isHidden = false;
    for (let at = this.#holders[node] ?? nobody; at !== nobody; at = this.#holders[at] ?? nobody) {
      isHidden = folded.delete(this.node(at)?.key ?? '') || isHidden;
    }
    const isFree = this.node(node)?.side === 'between' && this.#holders[node] === nobody;
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
    const isFew = only !== null && only.reduce((sum, mark) => sum + mark, 0) <= mostUnfolded;
    const folded = isFew ? new Set<string>() : this.folded.peek();
    const shown = shownGraphOf(graph, this.#holders, { folded, only });
    const steps = layFlowOut(graph, shown, boxWidths(graph, shown, this.foldable));
    const layout = await runSliced(steps, () => run === this.#run);
    if (layout) this.layout.value = layout;
  }
}
