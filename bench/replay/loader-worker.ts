import { parentPort, workerData } from 'node:worker_threads';
import { SystemClock } from '../../src/base/clock/system-clock.ts';
import { moving, RpcPort } from '../../src/base/threads/rpc-port.ts';
import { openTrace } from '../../src/trace/open-trace.ts';
import { TraceLoader } from '../../src/trace/service/trace-loader.ts';

// The part of the loader thread that a replay needs.
if (parentPort) {
  const loader = new TraceLoader(workerData as string, openTrace, new SystemClock());
  new RpcPort(
    parentPort,
    {
      openTrace: (file: string, loop: boolean) => loader.open(file, loop),
      findTraceChannels: (handle: number, mapped: readonly string[]) =>
        loader.findChannels(handle, mapped),
      readTrace: (handle: number, spare: ArrayBuffer | null) => {
        const piece = loader.read(handle, spare);
        return moving(piece, [piece.buffer]);
      },
      closeTrace: (handle: number) => loader.close(handle),
    },
    console.error,
  );
}
