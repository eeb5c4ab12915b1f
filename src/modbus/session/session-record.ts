import { type Static, Type } from 'typebox';
import { ErrorCodeSchema } from '../../base/errors/error-schema.ts';
import { DurationRecord } from '../../base/schedule/duration-record.ts';
import { counted, named, nullable } from '../../base/schema/schemas.ts';

/**
 * Where the link of a session is:
 *
 * ```
 *             needed                 opened
 *  closed ──────────────▶ connecting ──────▶ open
 *   ▲ ▲ ▲                  │   │              │
 *   │ │ └─ not needed now ─┘   │ refused,     │
 *   │ │                        ▼ too late     │
 *   │ └── time is over ── backing_off         │
 *   └──── lost, dropped, not needed now ──────┘
 * ```
 *
 * - It is needed by a request that waits, or by a user that wants it kept. One that was kept and broke stays `closed`
 *   for as long as `backing_off` would take, unless a request comes (`link-keeper.ts`).
 * - A connection is dropped after a time-out or an answer that does not fit; a serial line is not.
 * - `backing_off`: it could not be made, and is left alone for a while: 100 ms, and with each failure
 *   twice as long, up to 5 s (`back-off.ts`). Requests fail meanwhile.
 *
 * Changed by `session-link.ts`.
 */
export const linkStates = ['closed', 'connecting', 'open', 'backing_off'] as const;
export type LinkState = (typeof linkStates)[number];

/** `requests` is the sum of the four below and of those waiting. */
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

/** A session in the API. */
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

/** A unit of a session in the API. */
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
