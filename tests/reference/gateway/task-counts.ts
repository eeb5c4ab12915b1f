/** Counters of a task over the life of an instance. */
export const createCounts = () => ({
  accepted: 0,
  sent: 0,
  failed: 0,
  unconfirmed: 0,
  coalesced: 0,
  late: 0,
  missed: 0,
  lastLatenessUs: 0,
  maxLatenessUs: 0,
});

/** Fault counters of a task. */
export const createFaultCounts = () => ({
  generated: 0,
  injected: 0,
  unprotected: 0,
  dropped: 0,
  repeated: 0,
  suppressed: 0,
  faultConflicts: 0,
});
export type FaultCounts = Readonly<ReturnType<typeof createFaultCounts>>;
