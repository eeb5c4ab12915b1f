export { Bench, type BenchOptions, type CallOptions } from './bench.ts';
export { CyclicTask } from './cyclic-task.ts';
export { Ecu, type EcuOptions, type EcuRequestOptions, type FlashOptions } from './ecu.ts';
export {
  BusbarError,
  NegativeResponse,
  RequestTimeout,
  StreamTimeout,
  Unreachable,
} from './errors.ts';
export { type BinaryFrame, decodeFrame, type Gap, isGap, type StateEvent } from './items.ts';
export type * from './schema.ts';
export type { SignalValues } from './signal-values.ts';
export type { WebSocketConstructor, WebSocketLike } from './sources.ts';
export { Stream, type StreamOptions } from './stream.ts';
