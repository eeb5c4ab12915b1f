import { invalidArgument } from '../../base/errors/busbar-error.ts';
import type { ModbusRequest } from '../pdu/requests.ts';

const lastOnTcp = 255;
const lastOnSerial = 247;
/** Every unit on a serial line hears it, and none answers. */
const broadcastUnit = 0;

const isWrite = ({ kind }: ModbusRequest): boolean =>
  kind === 'write_coil' ||
  kind === 'write_register' ||
  kind === 'write_coils' ||
  kind === 'write_registers' ||
  kind === 'mask_write';

/** Whether nobody will answer. */
export const isBroadcast = (kind: 'tcp' | 'rtu' | 'ascii', unit: number): boolean =>
  kind !== 'tcp' && unit === broadcastUnit;

/** Refuses units that no server on such a line can have, and to ask something of all at once. */
export const requireUnit = (
  kind: 'tcp' | 'rtu' | 'ascii',
  unit: number,
  request: ModbusRequest,
): void => {
  const maximum = kind === 'tcp' ? lastOnTcp : lastOnSerial;
  const minimum = kind === 'tcp' || isWrite(request) ? 0 : 1;
  if (Number.isInteger(unit) && unit >= minimum && unit <= maximum) return;
  throw invalidArgument('unit', `unit is an integer from ${minimum} to ${maximum} here`, {
    reason: 'range',
    minimum,
    maximum,
  });
};
