import { type Static, Type } from 'typebox';
import { counted } from '../../base/schema/schemas.ts';

/**
 * State of a server, managed by `modbus-server.ts`:
 *
 * ```
 *           start             opened
 *  stopped ───────▶ starting ────────▶ listening
 *     ▲                │                ▲     │
 *     └─── refused ────┘       reopened │     │ serial port lost
 *                                       └─── lost
 *  stop: from every state to stopped
 * ```
 *
 * Starting a `lost` server reopens its port.
 */
export const serverStates = ['starting', 'listening', 'lost', 'stopped'] as const;
export type ServerState = (typeof serverStates)[number];

const byCode = (description: string) => Type.Record(Type.String(), Type.Integer(), { description });

export const ServerCounterRecord = Type.Object({
  clients_accepted: counted('Total connections'),
  clients_refused: counted('Connections rejected because of the client limit'),
  clients_timed_out: counted('Connections closed after the idle time-out'),
  requests: counted('Requests'),
  requests_by_function: byCode('Requests by function code'),
  exceptions: byCode('Exceptions returned, by code'),
  refused_writes: counted('Rejected writes'),
  broadcasts: counted('Broadcast writes on a serial line'),
  foreign_unit: counted('Requests to other units, not answered'),
  faults: Type.Object(
    {
      silent: counted('Requests left unanswered'),
      delayed: counted('Delayed responses'),
      exceptions: counted('Exceptions returned'),
    },
    { description: 'Simulated faults, as defined by the map' },
  ),
  bad_frames: counted('Number of invalid frames'),
  bytes_received: counted('Received'),
  bytes_sent: counted('Sent'),
});
export type ServerCounterRecord = Static<typeof ServerCounterRecord>;
