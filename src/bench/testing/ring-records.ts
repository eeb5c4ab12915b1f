import { BrokerMemory } from '../../broker/broker-memory.ts';
import type { RingHandle } from '../../broker/ring-memory.ts';
import { RingReader } from '../../broker/ring-reader.ts';
import { type Frm2Event, readFrm2 } from '../../frame/frm2-event.ts';

/** All records in a ring, oldest first. */
export const recordsOf = (ring: RingHandle): Frm2Event[] => {
  const records: Frm2Event[] = [];
  const reader = new RingReader({ memory: new BrokerMemory(), ring });
  reader.seek(0);
  reader.pass({ item: ({ view }, offset) => records.push(readFrm2(view, offset)) > 0 });
  return records;
};
