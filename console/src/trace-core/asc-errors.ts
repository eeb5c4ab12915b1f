/** Class bits of an error report, which stand in its identifier. */
const errorClass = { controller: 0x004, busOff: 0x040, restarted: 0x100, counters: 0x200 } as const;
/** What a controller says of itself, in the second byte of its report. */
const controller = { warning: 0x0c, passive: 0x30, active: 0x40 } as const;
const place = { controller: 1, txErrors: 6, rxErrors: 7 } as const;

/** The report of an error, or of what became of the controller. */
export interface ErrorReport {
  readonly channel: number;
  readonly id: number;
  readonly data: Uint8Array;
  /** Error frames that it stands for. */
  readonly errors: number;
}

const stateOf = ({ id, data }: ErrorReport): string | null => {
  const bits = data[place.controller] ?? 0;
  if ((id & errorClass.busOff) !== 0) return 'bus off';
  if ((id & errorClass.restarted) !== 0) return 'error active';
  if ((id & errorClass.controller) === 0) return null;
  if ((bits & controller.passive) !== 0) return 'error passive';
  if ((bits & controller.warning) !== 0) return 'warning level';
  return (bits & controller.active) !== 0 ? 'error active' : null;
};

const statusOf = (report: ErrorReport): string | null => {
  const state = stateOf(report);
  if (state === null) return null;
  const { id, data, channel } = report;
  const counters = ` - TxErr: ${data[place.txErrors] ?? 0} RxErr: ${data[place.rxErrors] ?? 0}`;
  const known = (id & errorClass.counters) === 0 ? '' : counters;
  return `CAN ${channel} Status:chip status ${state}${known}`;
};

/** The remark before an error frame that stands for several, as `trace info` and our other readers know it. */
export const errorCountRemark = (errors: number): string =>
  `The next error frame stands for ${errors} of them`;

/** The lines of a report at that time: an error frame, the state of the controller, or a remark. */
export const errorLines = (time: string, report: ErrorReport): string => {
  const { errors, channel } = report;
  const status = statusOf(report);
  const remark = errors > 1 ? `// ${time} ${errorCountRemark(errors)}\n` : '';
  const frame = errors > 0 ? `${time} ${channel}  ErrorFrame\n` : '';
  const state = status === null ? '' : `${time} ${status}\n`;
  return `${remark}${frame}${state}` || `// ${time} A report about channel ${channel}\n`;
};
