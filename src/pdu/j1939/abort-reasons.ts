import type { FindingCode } from '../pdu.ts';

export const abortReason = {
  busy: 1,
  timeout: 3,
  ctsDuringData: 4,
  badSequence: 7,
  other: 250,
} as const;

/** Reasons as in the Linux kernel (`net/can/j1939/transport.c`). */
const findings: Readonly<Record<number, FindingCode>> = {
  1: 'abort_busy',
  2: 'abort_resources',
  3: 'abort_timeout',
  4: 'abort_cts_during_data',
  5: 'abort_retransmit_limit',
  6: 'abort_unexpected_data',
  7: 'abort_bad_sequence',
  8: 'abort_duplicate_sequence',
  9: 'abort_too_long',
  10: 'abort_dpo_pgn',
  11: 'abort_dpo_packets',
  12: 'abort_dpo_offset',
  14: 'abort_cts_pgn',
  15: 'abort_cts_packets',
};

export const abortFinding = (reason: number): FindingCode => findings[reason] ?? 'abort_other';
