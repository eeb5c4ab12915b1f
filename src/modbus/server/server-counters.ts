import type { ServerCounterRecord } from './server-record.ts';

const byCode = (counts: Float64Array): Record<string, number> => {
  const record: Record<string, number> = {};
  counts.forEach((count, code) => {
    if (count > 0) record[code] = count;
  });
  return record;
};

/** Plain additions, so that counting costs almost nothing. */
export class ServerCounters {
  readonly requests = new Float64Array(256);
  readonly exceptions = new Float64Array(256);
  refusedWrites = 0;
  broadcasts = 0;
  otherUnit = 0;
  faultsSilent = 0;
  faultsDelayed = 0;
  faultsException = 0;
  badFrames = 0;
  bytesReceived = 0;
  bytesSent = 0;
  clientsAccepted = 0;
  clientsRefused = 0;
  clientsTimedOut = 0;

  record(): ServerCounterRecord {
    return {
      requests: this.requests.reduce((sum, count) => sum + count, 0),
      requests_by_function: byCode(this.requests),
      exceptions: byCode(this.exceptions),
      refused_writes: this.refusedWrites,
      broadcasts: this.broadcasts,
      foreign_unit: this.otherUnit,
      faults: {
        silent: this.faultsSilent,
        delayed: this.faultsDelayed,
        exceptions: this.faultsException,
      },
      bad_frames: this.badFrames,
      bytes_received: this.bytesReceived,
      bytes_sent: this.bytesSent,
      clients_accepted: this.clientsAccepted,
      clients_refused: this.clientsRefused,
      clients_timed_out: this.clientsTimedOut,
    };
  }
}
