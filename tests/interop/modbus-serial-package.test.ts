import { describe, expect, it } from 'vitest';
import {
  connectClient,
  patiently,
  portOf,
  serveFromDaemon,
  serveHere,
  setUpWire,
  useDaemon,
} from '../support/modbus-rig.ts';
import { hasPeer } from '../support/peers.ts';
import {
  modbusSerialClient,
  modbusSerialRtuClient,
  startModbusSerialRtuServer,
  startModbusSerialServer,
} from './support/modbus-serial-peer.ts';
import { asUnitClient } from './support/unit-client.ts';
import { emptyTables, exerciseUnit, filledTables } from './support/unit-exercise.ts';

describe('modbus-serial over TCP', () => {
  const bench = useDaemon();

  it('as a client does everything with a server of the daemon', async () => {
    const endpoint = await serveFromDaemon(bench(), 'tcp:127.0.0.1:0');
    await exerciseUnit(await modbusSerialClient(portOf(endpoint)), emptyTables);
  });

  it('as a client does everything with a server that has an end', async () => {
    const { endpoint } = await serveHere('tcp:127.0.0.1:0');
    const client = await modbusSerialClient(portOf(endpoint));
    await exerciseUnit(client, filledTables);
    expect(await client.identify(1, 0)).toMatchObject({ 0: 'Busbar', 1: 'busbar-modbus-server' });
  });

  it('as a client has many requests on the way and gets all answers in order', async () => {
    const { endpoint } = await serveHere('tcp:127.0.0.1:0');
    const client = await modbusSerialClient(portOf(endpoint));
    const reads = Array.from({ length: 200 }, (_, address) => client.read(4, address, 2));
    const found = await Promise.all(reads);
    expect(found).toEqual(
      found.map((_, address) => [filledTables.inputAt(address), filledTables.inputAt(address + 1)]),
    );
  });

  it('as a server does everything for our client', async () => {
    const {
      mask: _,
      readWrite: __,
      ...client
    } = asUnitClient(await connectClient(await startModbusSerialServer()));
    await exerciseUnit(client, { ...filledTables, writesPartly: true });
  });

  it('as a server says which functions it does not have', async () => {
    const client = asUnitClient(await connectClient(await startModbusSerialServer()));
    await expect(client.mask(0, 0, 0)).rejects.toMatchObject({ exception: 1 });
    await expect(client.readWrite(0, 1, 0, [1])).rejects.toMatchObject({ exception: 1 });
  });

  it('as a server is read from the command line', async () => {
    const endpoint = await startModbusSerialServer();
    const read = await bench().json(
      ...['modbus', 'read', `--endpoint=${endpoint}`, '--unit=1', '--reference=30011'],
      patiently,
    );
    expect(read).toMatchObject({ values: [String(filledTables.inputAt(10))] });
  });
});

describe.runIf(hasPeer('/usr/bin/socat', 'socat'))('modbus-serial over RTU', () => {
  const bench = useDaemon();

  it('as a client does everything with a server of the daemon', async () => {
    const wire = await setUpWire();
    await serveFromDaemon(bench(), `rtu:${wire.one}`);
    await exerciseUnit(await modbusSerialRtuClient(wire.other), emptyTables);
  });

  it('as a client does everything with a server that has an end', async () => {
    const wire = await setUpWire();
    await serveHere(`rtu:${wire.one}`);
    const client = await modbusSerialRtuClient(wire.other);
    await exerciseUnit(client, filledTables);
    expect(await client.identify(1, 0)).toMatchObject({ 0: 'Busbar', 1: 'busbar-modbus-server' });
  });

  it('as a server does everything for our client', async () => {
    const wire = await setUpWire();
    await startModbusSerialRtuServer(wire.other);
    const {
      mask: _,
      readWrite: __,
      ...client
    } = asUnitClient(await connectClient(`rtu:${wire.one}`));
    await exerciseUnit(client, { ...filledTables, writesPartly: true });
  });

  it('as a server is read and written from the command line', async () => {
    const wire = await setUpWire();
    await startModbusSerialRtuServer(wire.other);
    const unit = [`--endpoint=rtu:${wire.one}`, '--unit=1', patiently];
    await bench().json('modbus', 'write', ...unit, '--reference=40011', '--value=77');
    expect(
      await bench().json('modbus', 'read', ...unit, '--reference=40010', '--count=3'),
    ).toMatchObject({ values: ['0', '77', '0'] });
  });
});
