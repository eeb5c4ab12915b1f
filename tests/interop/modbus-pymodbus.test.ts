import { describe, expect, it } from 'vitest';
import { valueTypes } from '../../src/modbus/pdu/value-types.ts';
import { wordOrders } from '../../src/modbus/pdu/word-order.ts';
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
import { hasPymodbus, pymodbus } from './support/pymodbus-peer.ts';
import { asUnitClient, holdingValues } from './support/unit-client.ts';
import {
  emptyTables,
  exceptionOf,
  exerciseUnit,
  filledTables,
  isSameValue,
  valuesOfTypes,
} from './support/unit-exercise.ts';

const hasWire = hasPymodbus && hasPeer('/usr/bin/socat', 'socat');

const ourIdentity = {
  0: 'Busbar',
  1: 'busbar-modbus-server',
  2: expect.stringMatching(/^\d+\.\d+\.\d+$/),
};
const theirIdentity = { 0: 'Pymodbus', 1: 'PM', 2: '3.0' };

describe.runIf(hasPymodbus)('pymodbus over TCP', () => {
  const their = pymodbus('tcp');
  const bench = useDaemon();

  it('as a client does everything with a server of the daemon', async () => {
    const endpoint = await serveFromDaemon(bench(), 'tcp:127.0.0.1:0');
    await exerciseUnit(await their.client(portOf(endpoint)), emptyTables);
  });

  it('as a client does everything with a server that has an end', async () => {
    const { endpoint } = await serveHere('tcp:127.0.0.1:0');
    await exerciseUnit(await their.client(portOf(endpoint)), filledTables);
  });

  it('as a client finds out who our server is', async () => {
    const { endpoint } = await serveHere('tcp:127.0.0.1:0');
    const client = await their.client(portOf(endpoint));
    expect(await client.identify(1, 0)).toEqual(ourIdentity);
    expect(await client.identify(2, 0)).toEqual({ ...ourIdentity, 4: 'Busbar Modbus server' });
    expect(await client.program.ask('identify', 4, 0)).toEqual(['0=427573626172']);
    expect(await exceptionOf(client.program.ask('identify', 4, 99))).toBe(2);
  });

  it('makes the same values of our registers as we of its, in every type and order', async () => {
    const { endpoint } = await serveHere('tcp:127.0.0.1:0');
    const ours = await connectClient(endpoint);
    const theirs = await their.client(portOf(endpoint));
    const differing: string[] = [];
    const compare = (type: string, order: string, text: string, found = 'nothing'): void => {
      if (!isSameValue(type, found, text)) differing.push(`${type} ${order} ${text}: ${found}`);
    };
    for (const type of valueTypes) {
      if (type === 'bool') continue;
      for (const order of wordOrders) {
        const holding = holdingValues(ours, type, order);
        for (const text of valuesOfTypes[type]) {
          await holding.write(40, text);
          compare(type, order, text, await theirs.value(type, order, 40));
          await theirs.put(type, order, 50, text);
          const [found] = await holding.read(50, 1);
          compare(type, order, text, found);
        }
      }
    }
    expect(differing).toEqual([]);
  });

  it('as a server does everything for our client', async () => {
    const client = await connectClient(await their.server());
    await exerciseUnit(asUnitClient(client), filledTables);
    expect(await asUnitClient(client).identify(1, 0)).toEqual(theirIdentity);
  });

  it('as a server is read and written from the command line', async () => {
    const endpoint = `--endpoint=${await their.server()}`;
    const call = (verb: string, ...args: string[]) =>
      bench().json('modbus', verb, endpoint, '--unit=1', patiently, ...args);
    await call('write', '--reference=00005', '--value=true', '--value=false', '--value=true');
    expect(await call('read', '--table=coil', '--address=4', '--count=3')).toMatchObject({
      reference: '00005',
      values: ['true', 'false', 'true'],
    });
    await call('write', '--reference=40101', '--type=f64', '--order=CDAB', '--value=-1.5');
    expect(
      await call('read', '--reference=40101', '--type=f64', '--order=CDAB', '--count=2'),
    ).toMatchObject({ address: 100, values: ['-1.5', '0'] });
  });
});

describe.runIf(hasPymodbus)('pymodbus with frames of RTU over TCP', () => {
  const their = pymodbus('rtu-tcp');
  const bench = useDaemon();

  it('as a client does everything with a server of the daemon', async () => {
    const endpoint = await serveFromDaemon(bench(), 'rtu-tcp:127.0.0.1:0');
    await exerciseUnit(await their.client(portOf(endpoint)), emptyTables);
  });

  it('as a server does everything for our client, and for the command line', async () => {
    const endpoint = await their.server();
    await exerciseUnit(asUnitClient(await connectClient(endpoint)), filledTables);
    const items = [`--endpoint=${endpoint}`, '--unit=1', '--table=holding', '--address=20'];
    await bench().json('modbus', 'write', ...items, '--type=f32', '--value=-0.5', patiently);
    const read = await bench().json<object>('modbus', 'read', ...items, '--type=f32', patiently);
    expect(read).toMatchObject({ endpoint, values: ['-0.5'], attempts: 1 });
  });
});

describe.runIf(hasWire).each(['rtu', 'ascii'])('pymodbus over a serial line: %s', (kind) => {
  const their = pymodbus(kind);
  const bench = useDaemon();

  it('as a client does everything with a server of the daemon', async () => {
    const wire = await setUpWire();
    await serveFromDaemon(bench(), `${kind}:${wire.one}`);
    await exerciseUnit(await their.client(wire.other), emptyTables);
  });

  it('as a client does everything with a server that has an end', async () => {
    const wire = await setUpWire();
    await serveHere(`${kind}:${wire.one}`);
    const client = await their.client(wire.other);
    await exerciseUnit(client, filledTables);
    expect(await client.identify(1, 0)).toEqual(ourIdentity);
  });

  it('as a server does everything for our client', async () => {
    const wire = await setUpWire();
    await their.server(wire.other);
    const client = await connectClient(`${kind}:${wire.one}`);
    await exerciseUnit(asUnitClient(client), filledTables);
    expect(await asUnitClient(client).identify(1, 0)).toEqual(theirIdentity);
  });

  it('as a server is read and written from the command line', async () => {
    const wire = await setUpWire();
    await their.server(wire.other);
    const call = (verb: string, ...args: string[]) =>
      bench().json(
        'modbus',
        verb,
        `--endpoint=${kind}:${wire.one}`,
        '--unit=1',
        patiently,
        ...args,
      );
    await call('write', '--reference=40021', '--type=u32', '--order=BADC', '--value=16909060');
    expect(await call('read', '--reference=40021', '--count=2')).toMatchObject({
      values: ['513', '1027'],
    });
  });
});
