import type { PooledStrings } from '../memory/string-pool.ts';

/**
 * A loaded project in memory that all threads share: flat tables, numbered strings and the
 * saved file. Only the bench thread changes its state.
 */
export interface ProjectImage {
  readonly projectId: string | null;
  readonly rows: number;
  /** The normalized file in UTF-8: a project, or the manifest it was compiled from. */
  readonly text: SharedArrayBuffer;
  readonly strings: PooledStrings;
  readonly endpoints: SharedArrayBuffer;
  readonly signals: SharedArrayBuffer;
  readonly labels: SharedArrayBuffer;
  readonly bindings: SharedArrayBuffer;
  readonly shownBindings: SharedArrayBuffer;
  readonly muxRanges: SharedArrayBuffer;
  readonly codecs: SharedArrayBuffer;
  readonly specialRaws: SharedArrayBuffer;
  readonly messages: SharedArrayBuffer;
  readonly e2e: SharedArrayBuffer;
  readonly tasks: SharedArrayBuffer;
  readonly taskResources: SharedArrayBuffer;
  readonly faults: SharedArrayBuffer;
  readonly resources: SharedArrayBuffer;
  readonly endpointResources: SharedArrayBuffer;
  readonly polls: SharedArrayBuffer;
  readonly pollFills: SharedArrayBuffer;
  readonly mappings: SharedArrayBuffer;
  readonly operands: SharedArrayBuffer;
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
