import { type Static, Type } from 'typebox';
import { ErrorCodeSchema } from '../../base/errors/error-schema.ts';
import { DurationRecord } from '../../base/schedule/duration-record.ts';
import { counted, named, nullable } from '../../base/schema/schemas.ts';

/**
 * Link state of a session, managed by `session-link.ts`:
 *
 * ```
 *             needed                 opened
 *  closed ──────────────▶ connecting ──────▶ open
 *   ▲ ▲ ▲                  │   │              │
 *   │ │ └── not needed ────┘   │ refused,     │
 *   │ │                        ▼ timeout      │
 *   │ └──── delay over ── backing_off         │
 *   └────── lost, dropped, not needed ────────┘
 * ```
 *
 * - A link is needed by a pending request or by a user that keeps it open. A kept link that breaks
 *   stays `closed` during its back-off, unless a request is submitted (`link-keeper.ts`).
 * - A connection is dropped after a timeout or an invalid response; a serial line is not.
 * - `backing_off`: the link could not be opened. The delay is 100 ms and doubles with each failure,
 *   up to 5 s (`back-off.ts`). Requests fail meanwhile.
 */
export const linkStates = ['closed', 'connecting', 'open', 'backing_off'] as const;
export type LinkState = (typeof linkStates)[number];

/** `requests` is the sum of the next four counters and the waiting requests. */
export const SessionCounts = Type.Object({
  requests: counted('Started requests'),
  responses: counted('Answered'),
  exceptions: counted('Requests answered with an exception'),
  timeouts: counted('Requests that timed out'),
  failures: counted(
    'Requests that failed because of a connection or protocol error, or were cancelled',
  ),
  protocol_errors: counted('Invalid responses'),
  reconnects: counted('Reconnects'),
  bytes_in: counted('Received'),
  bytes_out: counted('Sent'),
});
export type SessionCounts = Static<typeof SessionCounts>;

const LastError = Type.Object({
  code: ErrorCodeSchema,
  message: Type.String(),
  timestamp_us: Type.Integer(),
});
export type LastError = Static<typeof LastError>;

export const SessionRecord = named(
  'ModbusSession',
  Type.Object({
    endpoint: Type.String({ description: 'Endpoint as first given' }),
    state: Type.Enum([...linkStates], {
      description: 'backing_off: the connection failed; requests fail until the next attempt',
    }),
    users: counted('Commands and polls that currently use it'),
    queue_length: counted('Queued requests'),
    ...SessionCounts.properties,
    round_trip_us: { ...DurationRecord, description: 'Time from request to response' },
    last_error: nullable(LastError),
  }),
);
export type SessionRecord = Static<typeof SessionRecord>;

export const shownUnitStates = [
  'healthy',
  'silent',
  'late',
  'resynchronising',
  'backing_off',
] as const;

export const UnitReport = Type.Object({
  unit: Type.Integer(),
  state: Type.Enum([...shownUnitStates], {
    description:
      'silent: the last request timed out; late: a response may still arrive; resynchronising: no requests until it cannot; backing_off: polls skip the unit',
  }),
  misses: counted('Consecutive requests that timed out'),
  retry_in_ms: nullable(Type.Integer({ minimum: 0 }), {
    description: 'Remaining time until the next request',
  }),
});
export type UnitReport = Static<typeof UnitReport>;
