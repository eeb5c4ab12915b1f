import { parentPort, workerData } from 'node:worker_threads';
import { SystemClock } from '../../src/base/clock/system-clock.ts';
import { moving, RpcPort } from '../../src/base/threads/rpc-port.ts';
import { openTrace } from '../../src/trace/open-trace.ts';
import { TraceLoader } from '../../src/trace/service/trace-loader.ts';
import type { TraceOrder } from '../../src/transmit/replay/trace-stream.ts';

// The part of the loader thread that a replay needs.
if (parentPort) {
  const loader = new TraceLoader({
    projectRoot: workerData as string,
    openTrace,
    clock: new SystemClock(),
    compileFilter: () => () => ({ passes: () => true, gap: () => undefined }),
  });
  new RpcPort(
    parentPort,
    {
      openTrace: (order: TraceOrder) => loader.open(order),
      findTraceChannels: (handle: number) => loader.findChannels(handle),
      readTrace: (handle: number, spare: ArrayBuffer | null) => {
        const piece = loader.read(handle, spare);
        return moving(piece, [piece.buffer]);
      },
      closeTrace: (handle: number) => loader.close(handle),
    },
    console.error,
  );
}
