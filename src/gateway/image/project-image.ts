import type { PooledStrings } from '../memory/string-pool.ts';
import type { EnginePlan } from '../plan/engine-plan.ts';

/**
 * A project as threads share it: flat tables, texts by number, and the file as it is saved. It is made
 * once, in a thread that ends afterwards; nothing in it changes but the state.
 */
export interface ProjectImage {
  /** The id that the file gives; null if it gives none. */
  readonly projectId: string | null;
  readonly rows: number;
  /** How many plugins it declares. */
  readonly plugins: number;
  /** The normalized file, UTF-8: a project, or the manifest that the project was compiled from. */
  readonly text: SharedArrayBuffer;
  readonly strings: PooledStrings;
  readonly endpoints: SharedArrayBuffer;
  readonly signals: SharedArrayBuffer;
  readonly labels: SharedArrayBuffer;
  readonly bindings: SharedArrayBuffer;
  readonly codecs: SharedArrayBuffer;
  readonly reservedRaws: SharedArrayBuffer;
  readonly tasks: SharedArrayBuffer;
  readonly plan: EnginePlan;
  readonly state: {
    readonly version: SharedArrayBuffer;
    readonly signals: SharedArrayBuffer;
    readonly bindings: SharedArrayBuffer;
    readonly tasks: SharedArrayBuffer;
    readonly timings: SharedArrayBuffer;
    readonly timingSamples: SharedArrayBuffer;
    readonly inputs: SharedArrayBuffer;
    readonly faults: SharedArrayBuffer;
    readonly faultEvents: SharedArrayBuffer;
    readonly faultEventData: SharedArrayBuffer;
    readonly instance: SharedArrayBuffer;
  };
}
