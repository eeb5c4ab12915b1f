/** A frame as a line without timestamp and end. */
export type FrameLine = string;

/** A node as the other nodes see it. */
export interface EmulatedNode {
  /** The commands that set its bit rates; undefined while it is off the bus. */
  readonly rates: { readonly nominal: string; readonly data: string } | undefined;
  hear(frame: FrameLine): void;
}

const isFlexible = (frame: FrameLine): boolean => /^[dDbB]/.test(frame);

/**
 * A bus on which every frame arrives immediately at all other nodes with the same bit rates.
 */
export class EmulatedBus {
  readonly #nodes = new Set<EmulatedNode>();

  join(node: EmulatedNode): void {
    this.#nodes.add(node);
  }

  leave(node: EmulatedNode): void {
    this.#nodes.delete(node);
  }

  send(sender: EmulatedNode, frame: FrameLine): void {
    const { rates } = sender;
    for (const node of this.#nodes) {
      if (node === sender || node.rates?.nominal !== rates?.nominal) continue;
      if (!isFlexible(frame) || node.rates?.data === rates?.data) node.hear(frame);
    }
  }
}
