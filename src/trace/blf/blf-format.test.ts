import { eventKindCode, frameFlag } from '../../frame/frm2-layout.ts';
import { describeTraceFormat } from '../testing/trace-format-suite.ts';
import type { CreateTrace } from '../trace-format.ts';
import { createBlf } from './create-blf.ts';
import { readBlf } from './read-blf.ts';

/** Objects of these kinds do not contain the sender. */
const withoutDirection = frameFlag.error | frameFlag.noResponse | frameFlag.syncBreak;

const holds: Parameters<typeof describeTraceFormat>[0]['holds'] = (event) =>
  (event.flags & withoutDirection) === 0 ? event : { ...event, kind: eventKindCode.rx_frame };

/** Writes everything to the sink immediately, as the suite requires of every format. */
const createFlushed: CreateTrace = (sink, options) => {
  const writer = createBlf(sink, options);
  return {
    write: (batch, from, to) => {
      writer.write(batch, from, to);
      writer.flush();
    },
    note: (timeNs, text) => {
      writer.note(timeNs, text);
      writer.flush();
    },
    end: () => writer.end(),
  };
};

describeTraceFormat({ name: 'BLF, flushed', open: readBlf, create: createFlushed, holds });
