import type { Static } from 'typebox';
import { choice, integer, optional } from '../../../base/schema/field-schemas.ts';
import { milliseconds, reference, row } from '../fields.ts';

export const modbusTables = ['coil', 'discrete', 'holding', 'input'] as const;
export type ModbusTable = (typeof modbusTables)[number];

export const accesses = ['poll', 'write', 'serve', 'external'] as const;
export type Access = (typeof accesses)[number];

export const maxRegisters = 125;

export const defaultPollMs = 1000;

export const ModbusResourceRow = row({
  endpoint: reference('endpoints', 'Endpoint of the kind modbus'),
  table: choice(modbusTables, 'Table of the unit'),
  address: integer('First address, counted from 0', 0, 65_535),
  count: optional(integer('Registers; default: 1, as for bits', 1, maxRegisters)),
  bit_offset: optional(integer('Bit of the register, 0 the least significant', 0, 15)),
  access: choice(accesses, 'A client polls or writes; a server serves, or is written to'),
  poll_ms: optional(milliseconds(`Poll period; default: ${defaultPollMs}`, { minimum: 1 })),
  stale_after_ms: optional(
    milliseconds(
      'How long values are valid; 0 = no limit. Default: three poll periods, or no limit without polls',
    ),
  ),
});
export type ModbusResourceRow = Static<typeof ModbusResourceRow>;

/** Default number of unanswered polls after which a value is stale. */
const stalePolls = 3;

/** Returns how long values of a resource are valid; 0 for no limit. */
export const staleMsOf = ({ access, poll_ms, stale_after_ms }: ModbusResourceRow): number =>
  stale_after_ms ?? (access === 'poll' ? stalePolls * (poll_ms ?? defaultPollMs) : 0);
