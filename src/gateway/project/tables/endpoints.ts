import { type Static, Type } from 'typebox';
import { choice, integer, variants } from '../../../base/schema/field-schemas.ts';
import { milliseconds, row } from '../fields.ts';

/** A network of the bench. Only the bench file assigns it to hardware. */
export const networkName = () =>
  Type.String({ description: 'Logical network of the bench', minLength: 1, maxLength: 128 });

const CanEndpoint = row({
  kind: choice(['can'], 'A network of CAN or CAN FD'),
  network: networkName(),
});

const unit = () => integer('Unit id; 1 to 247 where the network is serial', 0, 255);

const ModbusClientEndpoint = row({
  kind: choice(['modbus'], 'A Modbus network'),
  network: networkName(),
  role: choice(['client'], 'Sends requests to the unit'),
  node: unit(),
  timeout_ms: milliseconds('How long to wait for an answer', { minimum: 1, default: 1000 }),
});

const ModbusServerEndpoint = row({
  kind: choice(['modbus'], 'A Modbus network'),
  network: networkName(),
  role: choice(['server'], 'Answers requests to the unit'),
  node: unit(),
});

export const EndpointRow = variants('kind', [
  CanEndpoint,
  variants('role', [ModbusClientEndpoint, ModbusServerEndpoint]),
]);
export type EndpointRow = Static<typeof EndpointRow>;
