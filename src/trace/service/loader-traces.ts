import { BusbarError } from '../../base/errors/busbar-error.ts';
import { moving, type Remote } from '../../base/threads/rpc-port.ts';
import type { TraceOrder, TracePiece, TraceSource } from '../../transmit/replay/trace-stream.ts';
import type { OpenedTrace } from './trace-loader.ts';

export type TraceRpc = {
  openTrace(order: TraceOrder): OpenedTrace;
  findTraceChannels(handle: number): Promise<void>;
  /** Returns the next piece of an open trace. Buffers are transferred in both directions. */
  readTrace(handle: number, spare: ArrayBuffer | null): TracePiece;
  closeTrace(handle: number): void;
};

/**
 * Traces read by the loader for this thread. A trace belongs to the loader that opened it and
 * cannot be read after that loader crashed.
 */
export const loaderTraces = (loader: () => Remote<TraceRpc> | undefined): TraceSource => ({
  async open(order) {
    const remote = loader();
    if (!remote) throw new BusbarError('internal_error');
    const { handle, format, size, identities } = await remote.openTrace(order);
    return {
      format,
      size,
      identities,
      findChannels: () => remote.findTraceChannels(handle),
      read: (spare) => remote.readTrace(handle, spare && moving(spare, [spare])),
      close: () => remote.closeTrace(handle),
    };
  },
});
