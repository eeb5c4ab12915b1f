import type { SharedInstance } from '../instances/instance-registry.ts';
import type { PackedGraph } from './packed-graph.ts';

/**
 * The graph of the instance that was asked for last. It takes as long as a load to make and about as
 * much memory as the file: that is worth it while a client reads its pages, and not for sixteen.
 */
export class KeptGraph {
  readonly #make: (instance: SharedInstance) => Promise<PackedGraph>;
  #serial = 0;
  #graph: Promise<PackedGraph> | undefined;

  constructor(make: (instance: SharedInstance) => Promise<PackedGraph>) {
    this.#make = make;
  }

  of(instance: SharedInstance): Promise<PackedGraph> {
    if (this.#graph && this.#serial === instance.serial) return this.#graph;
    const graph = this.#make(instance);
    this.#serial = instance.serial;
    this.#graph = graph;
    graph.catch(() => {
      if (this.#graph === graph) this.#graph = undefined;
    });
    return graph;
  }

  /** The instance is gone. */
  forget(serial: number): void {
    if (this.#serial === serial) this.#graph = undefined;
  }
}
