import { BusbarError } from '../../base/errors/busbar-error.ts';
import { moving, type Remote } from '../../base/threads/rpc-port.ts';
import type { FoundChannels, TracePiece, TraceSource } from '../../transmit/replay/trace-stream.ts';
import type { OpenedTrace } from './trace-loader.ts';

export type TraceRpc = {
  openTrace(file: string, loop: boolean): OpenedTrace;
  findTraceChannels(handle: number, mapped: readonly string[]): Promise<FoundChannels>;
  /** Returns the next piece of an open trace. Buffers are transferred in both directions. */
  readTrace(handle: number, spare: ArrayBuffer | null): TracePiece;
  closeTrace(handle: number): void;
};

/**
 * Traces read by the loader for this thread. A trace belongs to the loader that opened it and
 * cannot be read after that loader crashed.
 */
export const loaderTraces = (loader: () => Remote<TraceRpc> | undefined): TraceSource => ({
  async open(file, loop) {
    const remote = loader();
    if (!remote) throw new BusbarError('internal_error');
    const { handle, format, size, identity } = await remote.openTrace(file, loop);
    return {
      format,
      size,
      identity,
      findChannels: (mapped) => remote.findTraceChannels(handle, mapped),
      read: (spare) => remote.readTrace(handle, spare && moving(spare, [spare])),
      close: () => remote.closeTrace(handle),
    };
  },
});
