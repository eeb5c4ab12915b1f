/** Counters of a task, in record order. Counters of an instance are sums. */
export const taskCounterNames = [
  'accepted',
  'sent',
  'failed',
  'pending',
  'unconfirmed',
  'coalesced',
  'queued_requests',
  'cancelled_requests',
  'processor_rejected_requests',
  'late',
  'missed',
  'generated',
  'injected',
  'unprotected',
  'dropped',
  'repeated',
  'suppressed',
  'fault_conflicts',
] as const;
export type TaskCounter = (typeof taskCounterNames)[number];

export const timingGroups = [
  'source_age_at_submit_us',
  'tick_to_submit_us',
  'completion_wait_us',
  'queue_wait_us',
  'protocol_wait_us',
] as const;
export type TimingGroup = (typeof timingGroups)[number];

export const timingWindow = 64;
