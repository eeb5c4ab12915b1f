import { BusbarError } from '../base/errors/busbar-error.ts';

const sentences = {
  caller_gone: 'The caller went away before this was complete',
  daemon_stopped: 'The daemon was stopped before this was complete',
  web_stopped: 'The Web service was stopped before this was complete',
} as const;

/** Why a call is given up before it is complete. */
export type CancelReason = keyof typeof sentences;

/** The reason that a signal was aborted for; a caller that left gives none. */
export const cancelReasonOf = ({ reason }: AbortSignal): CancelReason =>
  Object.hasOwn(sentences, reason) ? reason : 'caller_gone';

/**
 * What a cancelled call failed with, where its caller is still there to read it: the
 * handler knows only that no caller waits for it any longer.
 */
export const withCancelReason = (thrown: unknown, signal: AbortSignal): unknown => {
  const isCancelled = thrown instanceof BusbarError && thrown.code === 'operation_cancelled';
  if (!isCancelled || !signal.aborted) return thrown;
  const reason = cancelReasonOf(signal);
  if (reason === 'caller_gone') return thrown;
  return new BusbarError('operation_cancelled', {
    message: sentences[reason],
    details: { ...thrown.details, reason },
    cause: thrown,
  });
};
