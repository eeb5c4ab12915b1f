import type { Connection } from '../link/connection.ts';
import type { SendProgress } from '../transmit/batch.ts';
import type { DaemonCommand } from './context.ts';
import { type CallWatch, callDaemon } from './daemon-commands.ts';
import { onInterruption } from './interruption.ts';
import { terminalBar } from './terminal-bar.ts';

const cancelTimeoutMs = 2000;

/**
 * Sends a batch with progress. An interruption cancels it; the error contains the daemon's count.
 */
export const sendBatch: DaemonCommand = async (command, values, context) => {
  const bar = terminalBar(context);
  let link: Connection | undefined;
  const watch: CallWatch = {
    linked: (opened) => {
      link = opened;
    },
    progress: (progress) => {
      const { accepted, count } = progress as SendProgress;
      bar?.show(accepted, count);
    },
  };
  const forget = onInterruption(() => {
    link?.cancelCalls();
    // If the daemon does not answer, closing the link also cancels the batch.
    context.clock.after(cancelTimeoutMs, () => link?.close());
  });
  try {
    return await callDaemon(command, values, context, watch);
  } finally {
    forget();
    bar?.clear();
  }
};
