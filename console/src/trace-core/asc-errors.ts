import { chipStatusText } from '../../../src/trace/asc/chip-state.ts';
import { noticeText } from '../../../src/trace/asc/notice-text.ts';
import { errorCountRemark } from '../../../src/trace/error-frames.ts';
import { detailOfStatus } from '../../../src/trace/trace-batch.ts';

/** The report of an error, or of what became of the controller or the device. */
export interface ErrorReport {
  readonly channel: number;
  readonly id: number;
  readonly data: Uint8Array;
  readonly status: number;
  /** Error frames that it stands for. */
  readonly errors: number;
}

/** The lines of a report at that time: an error frame, the state of the controller, or a remark. */
export const errorLines = (time: string, report: ErrorReport): string => {
  const { errors, channel, id, data } = report;
  const detail = detailOfStatus(report.status);
  const state = detail === 0 ? chipStatusText(channel, id, (place) => data[place] ?? 0) : null;
  const remark = errors > 1 ? `// ${time} ${errorCountRemark(errors)}\n` : '';
  const frame = errors > 0 ? `${time} ${channel}  ErrorFrame\n` : '';
  const status = state === null ? '' : `${time} ${state}\n`;
  return `${remark}${frame}${status}` || `// ${time} ${noticeText(channel, id, detail)}\n`;
};
