import { type Static, Type } from 'typebox';
import { counted } from '../../base/schema/schemas.ts';

/**
 * State of a server:
 *
 * ```
 *           start             opened
 *  stopped ───────▶ starting ────────▶ listening
 *     ▲                │                ▲     │
 *     └─── refused ────┘    found again │     │ serial port gone
 *                                       └─── lost
 *
 *  stop: from every state to stopped
 * ```
 *
 * Starting a `lost` server opens its port again. Changed by `modbus-server.ts`.
 */
export const serverStates = ['starting', 'listening', 'lost', 'stopped'] as const;
export type ServerState = (typeof serverStates)[number];

const byCode = (description: string) => Type.Record(Type.String(), Type.Integer(), { description });

export const ServerCounterRecord = Type.Object({
  clients_accepted: counted('Connections so far'),
  clients_refused: counted('Connections beyond the limit'),
  clients_timed_out: counted('Connections closed after a long silence'),
  requests: counted('Requests'),
  requests_by_function: byCode('Requests by function code'),
  exceptions: byCode('Exceptions answered, by code'),
  refused_writes: counted('Writes that were refused whole'),
  broadcasts: counted('Writes to all units of a serial line'),
  foreign_unit: counted('Requests to other units, not answered'),
  faults: Type.Object(
    {
      silent: counted('Requests left without an answer'),
      delayed: counted('Answers held back'),
      exceptions: counted('Exceptions answered'),
    },
    { description: 'What its units did on purpose, as the map says' },
  ),
  bad_frames: counted('Times that something was no frame'),
  bytes_received: counted('Received'),
  bytes_sent: counted('Sent'),
});
export type ServerCounterRecord = Static<typeof ServerCounterRecord>;
