import { busCode, eventKindCode, frameFlag } from '../../frame/frm2-layout.ts';
import type { TraceEvent } from '../testing/trace-events.ts';
import { describeTraceFormat } from '../testing/trace-format-suite.ts';
import { readAsc } from './asc-reader.ts';
import { createAsc } from './asc-writer.ts';

/** Microseconds, no detail of CAN errors, no direction of any, no length of a response that never came, no lone break. */
const holds = (event: TraceEvent): TraceEvent | null => {
  const kept = { ...event, timeNs: Math.round(event.timeNs / 1000) * 1000 };
  if ((event.flags & frameFlag.syncBreak) !== 0) return null;
  if ((event.flags & frameFlag.noResponse) !== 0) {
    return { ...kept, kind: eventKindCode.rx_frame, dlc: 0 };
  }
  if ((event.flags & frameFlag.error) !== 0) {
    const error = { ...kept, kind: eventKindCode.rx_frame };
    return event.bus === busCode.can ? { ...error, id: 0, dlc: 0, data: [] } : error;
  }
  return kept;
};

describeTraceFormat({ name: 'ASC', open: readAsc, create: createAsc, holds });
