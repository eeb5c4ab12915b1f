import { BusbarError } from '../../base/errors/busbar-error.ts';
import { moving, type Remote } from '../../base/threads/call-port.ts';
import type { TraceSource } from '../../transmit/replay/trace-stream.ts';
import type { LoaderOffer } from './thread-contracts.ts';

/**
 * Traces that the loader reads for this thread. Each belongs to the loader that opened it: after
 * that one's death it can be read no further, whoever has taken its place.
 */
export const loaderTraces = (loader: () => Remote<LoaderOffer> | undefined): TraceSource => ({
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
