import { describeTraceFormat } from '../testing/trace-format-suite.ts';
import type { OpenTrace } from '../trace-format.ts';
import { readCandump } from './candump-reader.ts';
import { createCandump } from './candump-writer.ts';

const lin = 3;

/** Gives channels the numbers in their names, as the suite wrote them, not those of the log. */
const readByName: OpenTrace = (source) => {
  const reader = readCandump(source);
  return {
    format: reader.format,
    get startUnixUs() {
      return reader.startUnixUs;
    },
    get position() {
      return reader.position;
    },
    account: reader.account,
    read: (batch) => {
      const hasMore = reader.read(batch);
      for (let row = 0; row < batch.count; row++) {
        const name = reader.channelNames?.get(batch.channel[row] as number);
        batch.channel[row] = Number(name?.replace('can', ''));
      }
      return hasMore;
    },
  };
};

describeTraceFormat({
  name: 'candump',
  open: readByName,
  create: createCandump,
  holds: (event) => (event.bus === lin ? null : event),
  lastEventMayBeCut: true,
});
