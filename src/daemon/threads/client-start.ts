import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { Remote } from '../../base/threads/call-port.ts';
import type { StartOffer } from './thread-start.ts';

interface ClientStart {
  /** The bench thread, which is told how far the start has come. */
  readonly bench: Remote<StartOffer>;
  /** Opens the socket that the CLI comes in by. */
  readonly listen: () => Promise<void>;
  /** Takes up what ran before this thread was started anew. */
  readonly resume: () => Promise<void>;
}

/** Begins to serve callers. A client thread that the CLI cannot reach is of no use, and says so. */
export const serveClients = async ({ bench, listen, resume }: ClientStart): Promise<void> => {
  void bench.clientStage('opens its socket');
  try {
    await listen();
  } catch (thrown) {
    await bench.clientFailed(BusbarError.from(thrown).toRecord());
    return;
  }
  await resume();
  await bench.clientReady();
};
