import { describeTraceFormat } from '../testing/trace-format-suite.ts';
import { readCandump } from './candump-reader.ts';
import { createCandump } from './candump-writer.ts';

const lin = 3;

describeTraceFormat({
  name: 'candump',
  open: readCandump,
  create: createCandump,
  holds: (event) => (event.bus === lin ? null : event),
  lastEventMayBeCut: true,
});
