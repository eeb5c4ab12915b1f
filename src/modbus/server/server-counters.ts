/** What a server has seen since it was made. */
export interface ServerCounterRecord {
  readonly requests: number;
  /** By the code of the function. */
  readonly requests_by_function: Readonly<Record<string, number>>;
  /** Answers by the code of the exception. */
  readonly exceptions: Readonly<Record<string, number>>;
  /** Writes that were not done, for whatever reason. */
  readonly refused_writes: number;
  /** Writes to all units of a line, done or refused. */
  readonly broadcasts: number;
  /** Requests to other units. */
  readonly foreign_unit: number;
  /** What units did wrong on purpose. */
  readonly faults: {
    readonly silent: number;
    readonly delayed: number;
    readonly exceptions: number;
  };
  /** Times that something on the line was no frame. */
  readonly bad_frames: number;
  readonly bytes_received: number;
  readonly bytes_sent: number;
  readonly clients_accepted: number;
  /** Connections closed at once, as there were enough. */
  readonly clients_refused: number;
  /** Connections closed after a long silence, for its own sake or to make room. */
  readonly clients_timed_out: number;
}

const counted = (counts: Float64Array): Record<string, number> => {
  const record: Record<string, number> = {};
  counts.forEach((count, code) => {
    if (count > 0) record[code] = count;
  });
  return record;
};

/** Counts by plain addition, so that a request costs nothing more. */
export class ServerCounters {
  readonly requests = new Float64Array(256);
  readonly exceptions = new Float64Array(256);
  refusedWrites = 0;
  broadcasts = 0;
  foreignUnit = 0;
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
      requests_by_function: counted(this.requests),
      exceptions: counted(this.exceptions),
      refused_writes: this.refusedWrites,
      broadcasts: this.broadcasts,
      foreign_unit: this.foreignUnit,
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
