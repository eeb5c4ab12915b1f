/**
 * What of a project the engine runs, as tables that threads share: by number, in the order in which it is needed,
 * with nothing left to look up or to check. Codecs, transformations and rules are JSON texts of the pool.
 */
export interface EnginePlan {
  readonly inputMessages: SharedArrayBuffer;
  readonly inputBindings: SharedArrayBuffer;
  readonly outputs: SharedArrayBuffer;
  readonly outputBindings: SharedArrayBuffer;
  readonly endpoints: SharedArrayBuffer;
  readonly resources: SharedArrayBuffer;
  /** Numbers of resources, by endpoint. */
  readonly endpointResources: SharedArrayBuffer;
  /** Numbers of resources, by the task that writes them. */
  readonly taskResources: SharedArrayBuffer;
  readonly polls: SharedArrayBuffer;
  readonly pollFills: SharedArrayBuffer;
  readonly codecs: SharedArrayBuffer;
  readonly muxRanges: SharedArrayBuffer;
  readonly e2e: SharedArrayBuffer;
  readonly faults: SharedArrayBuffer;
  readonly signals: SharedArrayBuffer;
  /** Numbers of mappings, by the signals that they read. */
  readonly readers: SharedArrayBuffer;
  /** Numbers of bindings that are shown, by signal: those that are sent or served, then those that clients write. */
  readonly signalOutputs: SharedArrayBuffer;
  readonly mappings: SharedArrayBuffer;
  readonly plugins: SharedArrayBuffer;
  /** Numbers of signals: inputs, then outputs of each mapping. */
  readonly operands: SharedArrayBuffer;
}
