import { canErrorClass } from '../../frame/can-error-frame.ts';
import { busCode, eventKindCode, frameFlag } from '../../frame/frm2-layout.ts';
import { errorFramesAt } from '../error-frames.ts';
import { batchOf, type TraceEvent } from '../testing/trace-events.ts';
import { describeTraceFormat } from '../testing/trace-format-suite.ts';
import { readAsc } from './asc-reader.ts';
import { createAsc } from './asc-writer.ts';

const { busOff, controller, counters, restarted } = canErrorClass;

/** Controller state from the last part of a report. */
const stateOf = (error: TraceEvent): TraceEvent[] => {
  const [, bits = 0, , , , , tx = 0, rx = 0] = error.data;
  const hasCounters = (error.id & counters) !== 0;
  const counts = hasCounters ? [tx, rx] : [0, 0];
  const one = (id: number, found: number): TraceEvent[] => [
    {
      ...error,
      id: hasCounters ? id | counters : id,
      dlc: 8,
      data: [0, found, 0, 0, 0, 0, ...counts, 0, 0, 0, 0],
    },
  ];
  const isSenders = !hasCounters || tx >= rx;
  if ((error.id & busOff) !== 0) return one(busOff, 0);
  if ((error.id & restarted) !== 0) return one(controller, 0x40);
  if ((error.id & controller) === 0) return [];
  if ((bits & 0x30) !== 0) return one(controller, isSenders ? 0x20 : 0x10);
  if ((bits & 0x0c) !== 0) return one(controller, isSenders ? 0x08 : 0x04);
  return (bits & 0x40) !== 0 ? one(controller, 0x40) : [];
};

/** An error frame without details, if any, followed by the controller state. */
const partsOf = (error: TraceEvent): TraceEvent[] => {
  const count = errorFramesAt(batchOf([error]), 0);
  const frame = { ...error, id: 0, dlc: 0, data: count > 1 ? error.data.slice(8) : [] };
  return [...(count === 0 ? [] : [frame]), ...stateOf(error)];
};

/**
 * Not contained: microseconds, details of CAN errors, directions of errors, lengths of missing
 * responses, and lone breaks.
 */
const holds = (event: TraceEvent): TraceEvent | readonly TraceEvent[] | null => {
  const kept = { ...event, timeNs: Math.round(event.timeNs / 1000) * 1000 };
  if ((event.flags & frameFlag.syncBreak) !== 0) return null;
  if ((event.flags & frameFlag.noResponse) !== 0) {
    return { ...kept, kind: eventKindCode.rx_frame, dlc: 0 };
  }
  if ((event.flags & frameFlag.error) !== 0) {
    const error = { ...kept, kind: eventKindCode.rx_frame };
    return event.bus === busCode.can ? partsOf(error) : error;
  }
  return kept;
};

describeTraceFormat({ name: 'ASC', open: readAsc, create: createAsc, holds });
