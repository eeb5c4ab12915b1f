import type { PooledStrings } from '../memory/string-pool.ts';

/**
 * A loaded project, shared by all threads: flat tables, texts by number, and the saved file.
 * Built once; only the bench thread changes its state.
 */
export interface ProjectImage {
  /** The id in the file, or null. */
  readonly projectId: string | null;
  readonly rows: number;
  /** The normalized file, UTF-8: a project, or the manifest it was compiled from. */
  readonly text: SharedArrayBuffer;
  readonly strings: PooledStrings;
  readonly endpoints: SharedArrayBuffer;
  readonly signals: SharedArrayBuffer;
  readonly labels: SharedArrayBuffer;
  readonly bindings: SharedArrayBuffer;
  /** Bindings with a raw value to show, by signal. */
  readonly shownBindings: SharedArrayBuffer;
  readonly muxRanges: SharedArrayBuffer;
  readonly codecs: SharedArrayBuffer;
  readonly specialRaws: SharedArrayBuffer;
  readonly messages: SharedArrayBuffer;
  readonly e2e: SharedArrayBuffer;
  readonly tasks: SharedArrayBuffer;
  /** Resources by task. */
  readonly taskResources: SharedArrayBuffer;
  readonly faults: SharedArrayBuffer;
  readonly resources: SharedArrayBuffer;
  readonly endpointResources: SharedArrayBuffer;
  readonly polls: SharedArrayBuffer;
  readonly pollFills: SharedArrayBuffer;
  readonly mappings: SharedArrayBuffer;
  /** Signals that mappings read and write. */
  readonly operands: SharedArrayBuffer;
  /** Mappings by signal. */
  readonly readers: SharedArrayBuffer;
  readonly plugins: SharedArrayBuffer;
  readonly state: {
    readonly version: SharedArrayBuffer;
    readonly signals: SharedArrayBuffer;
    readonly bindings: SharedArrayBuffer;
    readonly tasks: SharedArrayBuffer;
    readonly timings: SharedArrayBuffer;
    readonly timingSamples: SharedArrayBuffer;
    readonly messages: SharedArrayBuffer;
    readonly faults: SharedArrayBuffer;
    readonly faultEvents: SharedArrayBuffer;
    readonly faultEventData: SharedArrayBuffer;
    readonly instance: SharedArrayBuffer;
  };
}
