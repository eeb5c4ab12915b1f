/**
 * What of a project the engine runs, as tables that threads share: by number, in the order in which it is needed,
 * with nothing left to look up or to check. Codecs, transformations and rules are JSON texts of the pool.
 */
export interface EnginePlan {
  readonly inputMessages: SharedArrayBuffer;
  readonly inputBindings: SharedArrayBuffer;
  readonly outputs: SharedArrayBuffer;
  readonly outputBindings: SharedArrayBuffer;
  readonly codecs: SharedArrayBuffer;
  readonly muxRanges: SharedArrayBuffer;
  readonly e2e: SharedArrayBuffer;
  readonly faults: SharedArrayBuffer;
  readonly signals: SharedArrayBuffer;
  /** Numbers of mappings, by the signals that they read. */
  readonly readers: SharedArrayBuffer;
  /** Numbers of sent bindings, by signal. */
  readonly signalOutputs: SharedArrayBuffer;
  readonly mappings: SharedArrayBuffer;
  /** Numbers of signals: inputs, then outputs of each mapping. */
  readonly operands: SharedArrayBuffer;
}
