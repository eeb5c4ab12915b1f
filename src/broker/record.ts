/** What the broker itself reads and writes of a record. */
export {
  frm2EventId as readEventId,
  setFrm2EventId as writeEventId,
  setFrm2SourceSequence as writeSourceSequence,
} from '../frame/frm2-codec.ts';
