import { BusbarError } from '../../../base/errors/busbar-error.ts';
import type { DeviceIdentity, IdentityObject } from '../../pdu/device-identity.ts';
import { identifyRequest, maskWriteRequest, readWriteRequest } from '../../pdu/make-request.ts';
import type { IdentificationCode, ModbusRequest } from '../../pdu/requests.ts';
import type { IdentityResponse } from '../../pdu/responses.ts';
import type { GoodResponse } from '../../session/exchange.ts';
import { badReplyError } from '../../session/session-errors.ts';
import type { BitMasks } from '../bit-change.ts';
import { perform, SingleCall } from '../call.ts';
import { defaultTimeoutMs } from '../client-defaults.ts';
import type { ModbusClient } from '../modbus-client.ts';
import { itemsOf, nothingOf } from '../readings.ts';

const callUnit = <Result>(
  { session, unit }: ModbusClient,
  request: ModbusRequest,
  reading: (response: GoodResponse) => Result,
): Promise<Result> => {
  const target = { session, unit, timeoutMs: defaultTimeoutMs };
  return perform(target, new SingleCall(target, request, reading));
};

export const maskWrite = (
  client: ModbusClient,
  address: number,
  { andMask, orMask }: BitMasks,
): Promise<void> => callUnit(client, maskWriteRequest(address, andMask, orMask), nothingOf);

export const readWrite = (
  client: ModbusClient,
  address: number,
  count: number,
  writeAddress: number,
  registers: Uint16Array,
): Promise<Uint16Array> =>
  callUnit(client, readWriteRequest(address, count, writeAddress, registers), itemsOf);

const identityOf = (response: GoodResponse): IdentityResponse => {
  if (response.kind !== 'identity') {
    throw new BusbarError('internal_error', {
      message: `An answer is of the kind ${response.kind}`,
    });
  }
  // Slices of a frame in a Buffer are Buffers too.
  const objects = response.objects.map(({ id, value }) => ({ id, value: Uint8Array.from(value) }));
  return { ...response, objects };
};

export const identify = async (
  client: ModbusClient,
  code: IdentificationCode = 1,
): Promise<DeviceIdentity> => {
  const objects: IdentityObject[] = [];
  let conformity = 0;
  let next: number | null = 0;
  while (next !== null) {
    const asked: number = next;
    const part: IdentityResponse = await callUnit(client, identifyRequest(code, asked), identityOf);
    // A device that repeats object ids would cause an endless loop.
    if (part.objects.some(({ id }) => id < asked)) {
      const message = `The unit repeated objects when reading continued at object ${asked}`;
      throw badReplyError(client.session.endpoint, client.unit, { wrong: 'objects', message });
    }
    conformity = part.conformity;
    objects.push(...part.objects);
    next = part.nextObjectId;
  }
  return { conformity, objects: objects.sort((one, other) => one.id - other.id) };
};
