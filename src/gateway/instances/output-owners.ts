import { BusbarError } from '../../base/errors/busbar-error.ts';

/** A CAN message that an instance sends. Classic CAN and CAN FD are the same here. */
export interface CanOutput {
  /** What of the instance sends it. */
  readonly task: string;
  /** Stable selector of the physical channel, which it keeps when it is closed and opened again. */
  readonly channel: string;
  readonly canId: number;
  readonly extended: boolean;
}

interface Owner {
  readonly instance: string;
  readonly task: string;
}

const keyOf = ({ channel, canId, extended }: CanOutput): string =>
  `${channel} ${canId} ${extended}`;

/** Conflicts that a refusal shows; the rest is counted. */
const mostConflicts = 200;

/** Which running instance sends which message: no two may drive the same one. */
export class OutputOwners {
  readonly #owners = new Map<string, Owner>();

  /** Gives an instance all of its outputs, or none if another one has any of them, or it has one twice. */
  claim(instance: string, outputs: readonly CanOutput[]): void {
    const own = new Map<string, Owner>();
    const conflicts = outputs.flatMap((output) => {
      const key = keyOf(output);
      const owner = this.#owners.get(key) ?? own.get(key);
      own.set(key, { instance, task: output.task });
      if (!owner) return [];
      const { task, channel, canId, extended } = output;
      return [{ task, owner, channel, can_id: canId, extended }];
    });
    const [first] = conflicts;
    if (first) {
      const others = conflicts.length === 1 ? '' : `, and ${conflicts.length - 1} more`;
      throw new BusbarError('output_conflict', {
        message: `${first.owner.instance} sends what ${first.task} does on ${first.channel} already${others}`,
        details: {
          instance,
          conflicts: conflicts.slice(0, mostConflicts),
          total: conflicts.length,
        },
      });
    }
    for (const [key, owner] of own) this.#owners.set(key, owner);
  }

  /** Takes all outputs from an instance. */
  release(instance: string): void {
    for (const [key, owner] of this.#owners) {
      if (owner.instance === instance) this.#owners.delete(key);
    }
  }
}
