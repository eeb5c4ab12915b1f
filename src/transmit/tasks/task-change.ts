import { invalidArgument } from '../../base/errors/busbar-error.ts';
import { unsupportedByHardware } from '../../drivers/refusals.ts';
import { parseHex } from '../../frame/hex-bytes.ts';
import type { SignalTexts } from '../../signal/encode/message-encoder.ts';
import type { TaskChange } from './task-work.ts';
import type { TxTask } from './tx-task.ts';
import { requestedPeriodUs } from './tx-task-request.ts';

export interface TaskChangeRequest {
  readonly data?: string | undefined;
  readonly enabled?: boolean | undefined;
  readonly period_us?: number | undefined;
  readonly period?: string | undefined;
  /** Raw values that `data` was encoded from; for a task by name. */
  readonly values?: SignalTexts | undefined;
}

const changedData = (text: string, { frame, source }: TxTask, values: unknown): Uint8Array => {
  if (source && values === undefined) {
    throw invalidArgument('data', `The task sends ${source.message.name}: change its signals`, {
      reason: 'has_signals',
    });
  }
  const { length } = frame.data;
  const data = parseHex(text, { field: 'data', maxLength: 64 });
  if (data.length === length) return data;
  throw invalidArgument('data', `data must have ${length} bytes, as in the frame of the task`, {
    reason: 'disagrees',
    length,
  });
};

const periodField = ({ period }: TaskChangeRequest): string =>
  period === undefined ? 'period_us' : 'period';

/** Checks a change of a task. */
export const taskChange = (request: TaskChangeRequest, task: TxTask): TaskChange => {
  const { data, enabled, values } = request;
  const hasPeriod = request.period !== undefined || request.period_us !== undefined;
  if (data === undefined && enabled === undefined && !hasPeriod) {
    throw invalidArgument('', 'Give signals, data, enabled or period_us', { reason: 'missing' });
  }
  if (hasPeriod && task.isResponse) {
    throw invalidArgument(periodField(request), 'A LIN response has no period', {
      reason: 'not_in_response',
    });
  }
  if (task.work.change === undefined) {
    throw unsupportedByHardware(
      data !== undefined ? 'data' : enabled !== undefined ? 'enabled' : periodField(request),
      'The device sends this task and cannot change it: add it with offload false',
    );
  }
  return {
    ...(data !== undefined && { data: changedData(data, task, values) }),
    ...(hasPeriod && { periodUs: requestedPeriodUs(definedPeriod(request)) }),
    isEnabled: enabled,
  };
};

const definedPeriod = ({ period, period_us }: TaskChangeRequest) => ({
  ...(period !== undefined && { period }),
  ...(period_us !== undefined && { period_us }),
});
