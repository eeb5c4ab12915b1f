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
  requests: counted('Requests taken up'),
  responses: counted('Answered'),
  exceptions: counted('Answered with an exception'),
  timeouts: counted('Not answered in time'),
  failures: counted('Ended by a broken link or protocol, or given up by the caller'),
  protocol_errors: counted('Frames that were no answer'),
  reconnects: counted('Times that the link was made anew after it was lost or given up'),
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
    endpoint: Type.String({ description: 'As it was named first' }),
    state: Type.Enum([...linkStates], {
      description: 'backing_off: it could not be made, and requests fail until it is tried again',
    }),
    users: counted('Commands and polls that use it now'),
    queue_length: counted('Requests that wait'),
    ...SessionCounts.properties,
    round_trip_us: { ...DurationRecord, description: 'From sending a request to its answer' },
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
      'silent: it has not answered what it was asked last; late: it may still do so; resynchronising: it is not asked until it cannot; backing_off: polls pass it over',
  }),
  misses: counted('Requests in a row that it has not answered'),
  retry_in_ms: nullable(Type.Integer({ minimum: 0 }), {
    description: 'How long it is still left alone',
  }),
});
export type UnitReport = Static<typeof UnitReport>;
