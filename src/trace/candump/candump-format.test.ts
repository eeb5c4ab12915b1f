import { canErrorClass } from '../../frame/can-error-frame.ts';
import { busCode, frameFlag } from '../../frame/frm2-layout.ts';
import { errorFramesAt } from '../error-frames.ts';
import { batchOf, type TraceEvent } from '../testing/trace-events.ts';
import { describeTraceFormat } from '../testing/trace-format-suite.ts';
import { maxErrorLines } from './candump-layout.ts';
import { readCandump } from './candump-reader.ts';
import { createCandump } from './candump-writer.ts';

/** Errors are written one by one up to a limit; one without a class is a bus error. */
const errorsOf = (error: TraceEvent): TraceEvent[] => {
  const count = errorFramesAt(batchOf([error]), 0);
  const id = error.id === 0 ? canErrorClass.busError : error.id;
  if (count > maxErrorLines) return [{ ...error, id }];
  const one = { ...error, id, data: error.data.slice(0, error.dlc) };
  return Array.from({ length: Math.max(count, 1) }, () => one);
};

const holds = (event: TraceEvent): TraceEvent | readonly TraceEvent[] | null => {
  if (event.bus === busCode.lin) return null;
  return (event.flags & frameFlag.error) === 0 ? event : errorsOf(event);
};

describeTraceFormat({
  name: 'candump',
  open: readCandump,
  create: createCandump,
  holds,
  lastEventMayBeCut: true,
});
