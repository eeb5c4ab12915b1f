/** A frame as its line says it, without time stamp and end. */
export type FrameLine = string;

/** A node as the others on its bus see it. */
export interface EmulatedNode {
  /** On the bus, with its bit rates as the commands that set them; undefined while it is not. */
  readonly rates: string | undefined;
  readonly isSilent: boolean;
  hear(frame: FrameLine): void;
}

/** A bus on which every frame arrives at once at all others that run at the same rates. */
export class EmulatedBus {
  readonly #nodes = new Set<EmulatedNode>();
  frames = 0;

  join(node: EmulatedNode): void {
    this.#nodes.add(node);
  }

  leave(node: EmulatedNode): void {
    this.#nodes.delete(node);
  }

  send(sender: EmulatedNode, frame: FrameLine): void {
    this.frames += 1;
    for (const node of this.#nodes) {
      if (node !== sender && node.rates === sender.rates) node.hear(frame);
    }
  }
}
