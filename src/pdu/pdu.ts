export const pduProtocols = ['j1939', 'isotp', 'lin'] as const;
export type PduProtocol = (typeof pduProtocols)[number];

/** What became of a transfer. Only a complete one has a payload. */
export const pduStatuses = {
  complete: 'The payload is complete',
  lost: 'Frames are missing, or the frames contradict each other',
  conflict: 'A packet was repeated with different data',
  timeout: 'The next frame did not come in time',
  aborted: 'A node aborted the transfer',
  replaced: 'The sender began another transfer before the end of this one',
  orphan: 'Packets without an announcement, for example at the start of a trace',
  open: 'The channel or the trace ended before the transfer did',
  too_long: 'The payload is longer than the largest that is reassembled',
} as const;
export type PduStatus = keyof typeof pduStatuses;

export const findingCodes = {
  abort_busy: 'Abort: the node is already in a transfer',
  abort_resources: 'Abort: the node lacks resources',
  abort_timeout: 'Abort: a time-out expired',
  abort_cts_during_data: 'Abort: a CTS came during the data',
  abort_retransmit_limit: 'Abort: too many repetitions were requested',
  abort_unexpected_data: 'Abort: a data frame was not expected',
  abort_bad_sequence: 'Abort: wrong sequence number',
  abort_duplicate_sequence: 'Abort: repeated sequence number',
  abort_too_long: 'Abort: the size exceeds 1785 bytes, or a DPO was not expected',
  abort_dpo_pgn: 'Abort: wrong parameter group in a DPO',
  abort_dpo_packets: 'Abort: a DPO has more packets than its CTS',
  abort_dpo_offset: 'Abort: wrong offset in a DPO',
  abort_cts_pgn: 'Abort: wrong parameter group in a CTS',
  abort_cts_packets: 'Abort: a CTS requests packets beyond the end of the message',
  abort_other: 'Abort for another reason',
  acknowledged_incomplete: 'The receiver acknowledged a transfer whose packets were not all seen',
  bad_announcement: 'An announcement whose size and packets disagree or are out of range',
  bad_destination: 'A broadcast to one address, or a request to send to all',
  bad_length: 'A transport frame of the wrong length',
  bad_offset: 'A data packet offset outside the message',
  bad_sequence: 'A sequence number outside the message',
  data_without_offset: 'A data frame of an extended transfer without a data packet offset',
  different_repeat: 'A packet was repeated with different data',
  events_missing: 'Events were lost before this one',
  first_frame_short: 'A first frame whose payload fits a shorter form',
  flow_invalid: 'A flow control with a reserved status',
  flow_late: 'A flow control came later than N_Bs, 1 s',
  flow_missing: 'A block of consecutive frames began without its flow control',
  flow_overflow: 'The receiver has no room for the payload',
  flow_unexpected: 'A flow control for which the open transfer has no use',
  memory_limit: 'Too many transfers were open at the same time',
  pgn_differs: 'A control frame of another parameter group',
  repeat: 'A packet or a consecutive frame was repeated',
  restarted: 'The announcement was repeated',
  sequence_gap: 'Packets of a broadcast or consecutive frames are missing or in the wrong order',
  size_differs: 'The acknowledged size is not the announced one',
  st_min_reserved: 'A flow control with a reserved STmin, which counts as 127 ms',
  st_min_violated: 'A consecutive frame came earlier than STmin after the one before',
} as const;
export type FindingCode = keyof typeof findingCodes;

export interface Finding {
  readonly code: FindingCode;
  readonly eventId: number;
}

export interface Pdu {
  readonly protocol: PduProtocol;
  /** Slot of the channel; in a trace, its key. */
  readonly channel: number;
  readonly firstEventId: number;
  readonly lastEventId: number;
  /** Of the last frame. */
  readonly timestampUs: number;
  readonly durationUs: number;
  readonly frames: number;
  /** Announced length in bytes, or 0 if unknown. */
  readonly length: number;
  /** Empty unless complete. */
  readonly payload: Uint8Array;
  readonly status: PduStatus;
  /** Of a complete transfer, more can follow while its acknowledgement is awaited. */
  readonly findings: readonly Finding[];
  readonly pgn: number | null;
  readonly source: number | null;
  readonly destination: number | null;
  readonly priority: number | null;
  /** Null for broadcasts. Changes from false to true after completion. */
  readonly acknowledged: boolean | null;
  readonly id: number | null;
  /** Whether the identifier has 29 bits. */
  readonly extended: boolean | null;
  readonly address: number | null;
  /** One of its frames was marked. */
  readonly isMarked?: boolean;
}

/** Findings that a PDU has room for. */
export const maxFindings = 32;

export const noPayload = new Uint8Array(0);
