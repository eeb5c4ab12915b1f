import { BusbarError } from '../base/errors/busbar-error.ts';

const sentences = {
  caller_gone: 'The caller disconnected before the operation completed',
  daemon_stopped: 'The daemon stopped before the operation completed',
  web_stopped: 'The Web service stopped before the operation completed',
} as const;

export type CancelReason = keyof typeof sentences;

export const cancelReasonOf = ({ reason }: AbortSignal): CancelReason =>
  Object.hasOwn(sentences, reason) ? reason : 'caller_gone';

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
