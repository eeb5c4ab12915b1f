import { BusbarError } from '../../base/errors/busbar-error.ts';
import { moving, type Remote } from '../../base/threads/call-port.ts';
import type { FoundChannels, TracePiece, TraceSource } from '../../transmit/replay/trace-stream.ts';
import type { OpenedTrace } from './trace-loader.ts';

/** What a thread that reads traces does for the one that replays them. */
export type TraceOffer = {
  /** Opens a trace to be read from its beginning, once or over and over. */
  openTrace(file: string, loop: boolean): OpenedTrace;
  /** Looks for mapped channels in an open trace, for as long as there is time. */
  findTraceChannels(handle: number, mapped: readonly string[]): Promise<FoundChannels>;
  /** The next piece of an open trace. Buffers change hands in both directions. */
  readTrace(handle: number, spare: ArrayBuffer | null): TracePiece;
  closeTrace(handle: number): void;
};

/**
 * Traces that the loader reads for this thread. Each belongs to the loader that opened it: after
 * that one's death it can be read no further, although another has taken its place.
 */
export const loaderTraces = (loader: () => Remote<TraceOffer> | undefined): TraceSource => ({
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
