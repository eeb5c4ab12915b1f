import { traceDetail } from '../trace-batch.ts';

/**
 * The remark for an event that the format has no line for: neither an error on the bus nor a state
 * of the controller. `detail` has bits of `traceDetail`.
 */
export const noticeText = (channel: number, id: number, detail: number): string => {
  if ((detail & traceDetail.deviceLost) !== 0) return `The device of channel ${channel} was lost`;
  if ((detail & traceDetail.deviceReturned) !== 0)
    return `The device of channel ${channel} is back`;
  return `The controller of channel ${channel} reports class ${id}`;
};
