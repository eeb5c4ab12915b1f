import type { Slots } from '../values/slots.ts';

/** A transformation, compiled for the types of its inputs and outputs. It makes no objects of its own. */
export interface TransformProgram {
  /**
   * Computes the outputs, which must be other slots than the inputs. False if one of them cannot be
   * represented; then none of them means anything.
   */
  run(inputs: Slots, outputs: Slots): boolean;
  /** Which input counts beside the first one, the condition; 0 where all of them count. */
  chosen(inputs: Slots): 0 | 1 | 2;
  /** Forgets what it remembers from earlier runs. */
  reset(): void;
}

/** A transformation that reads all of its inputs and remembers nothing. */
export abstract class PlainProgram implements TransformProgram {
  abstract run(inputs: Slots, outputs: Slots): boolean;

  chosen(_inputs: Slots): 0 | 1 | 2 {
    return 0;
  }

  reset(): void {}
}
