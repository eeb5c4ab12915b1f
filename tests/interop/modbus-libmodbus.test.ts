import { describe, expect, it } from 'vitest';
import { identify } from '../../src/modbus/client/testing/rare-functions.ts';
import { wordOrders } from '../../src/modbus/pdu/word-order.ts';
import { readRegisters } from '../../src/modbus/server/testing/held-data.ts';
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
import { hasLibmodbus, useLibmodbus } from './support/libmodbus-peer.ts';
import { asUnitClient, holdingValues } from './support/unit-client.ts';
import {
  emptyTables,
  exceptionOf,
  exerciseUnit,
  filledTables,
  isSameValue,
  valuesOfTypes,
} from './support/unit-exercise.ts';

const hasWire = hasLibmodbus && hasPeer('/usr/bin/socat', 'socat');

describe.runIf(hasLibmodbus)('libmodbus', () => {
  const libmodbus = useLibmodbus();

  describe('over TCP', () => {
    const their = libmodbus('tcp');
    const bench = useDaemon();

    it('as a client does everything with a server of the daemon', async () => {
      const endpoint = await serveFromDaemon(bench(), 'tcp:127.0.0.1:0');
      const client = await their.client(portOf(endpoint));
      await exerciseUnit(client, emptyTables);
      await client.write(16, 100, [0x47f1, 0x2000]);
      const read = await bench().json(
        ...['modbus', 'read', `--endpoint=${endpoint}`, '--unit=1', '--reference=40101'],
        ...['--type=f32', patiently],
      );
      expect(read).toMatchObject({ values: ['123456'], registers: [0x47f1, 0x2000] });
      const { servers } = await bench().json<{ servers: object[] }>('modbus', 'status');
      expect(servers).toMatchObject([{ foreign_unit: 0, bad_frames: 0, clients_accepted: 2 }]);
    });

    it('as a client is refused what the owner refuses, and changes nothing', async () => {
      const refused: number[] = [];
      const { endpoint, model } = await serveHere('tcp:127.0.0.1:0', {
        check: ({ address }) => {
          if (address < 2500) return undefined;
          refused.push(address);
          return 3;
        },
      });
      const client = await their.client(portOf(endpoint));
      expect(await exceptionOf(client.write(16, 2500, [1, 2]))).toBe(3);
      expect(await exceptionOf(client.mask(2501, 0, 0xffff))).toBe(3);
      expect(await exceptionOf(client.readWrite(0, 1, 2502, [3]))).toBe(3);
      expect(refused).toEqual([2500, 2501, 2502]);
      expect(readRegisters(model, 'holding', 2500, 4)).toEqual(new Uint16Array(4));
    });

    it('as a client does everything with a server that has an end', async () => {
      const { endpoint } = await serveHere('tcp:127.0.0.1:0');
      await exerciseUnit(await their.client(portOf(endpoint)), filledTables);
    });

    it('as a client is told of every count that no request may have', async () => {
      const { endpoint } = await serveHere('tcp:127.0.0.1:0');
      const client = await their.client(portOf(endpoint));
      const answerTo = async (...bytes: number[]) =>
        (await client.program.ask('raw', 1, ...bytes)).map(Number);
      const high = (count: number): number[] => [count >> 8, count & 0xff];
      for (const [code, max] of [[1, 2000] as const, [2, 2000], [3, 125], [4, 125]] as const) {
        for (const count of [0, max + 1, 0xffff]) {
          expect(await answerTo(code, 0, 0, ...high(count))).toEqual([code | 0x80, 3]);
        }
      }
      for (const [code, max] of [[15, 1968] as const, [16, 123]] as const) {
        for (const count of [0, max + 1]) {
          expect(await answerTo(code, 0, 0, ...high(count), 2, 0, 0)).toEqual([code | 0x80, 3]);
        }
      }
      expect(await answerTo(5, 0, 0, 0x12, 0x34)).toEqual([0x85, 3]);
      expect(await answerTo(23, 0, 0, ...high(126), 0, 0, 0, 1, 2, 0, 0)).toEqual([0x97, 3]);
      expect(await answerTo(23, 0, 0, 0, 1, 0, 0, 0, 122, 2, 0, 0)).toEqual([0x97, 3]);
      expect(await answerTo(0x42, 0, 0, 0, 0)).toEqual([0xc2, 1]);
    });

    it('makes the same values of our registers, and we of its', async () => {
      const { endpoint } = await serveHere('tcp:127.0.0.1:0');
      const ours = await connectClient(endpoint);
      const theirs = await their.client(portOf(endpoint));
      for (const order of wordOrders) {
        for (const text of valuesOfTypes.f32) {
          await holdingValues(ours, 'f32', order).write(10, text);
          const found = await theirs.value('f32', order, 10);
          expect(isSameValue('f32', found, text) || `${order} ${text}: ${found}`).toBe(true);
        }
      }
      for (const type of ['s32', 's64'] as const) {
        for (const text of valuesOfTypes[type]) {
          await holdingValues(ours, type).write(10, text);
          expect(await theirs.value(type, 'ABCD', 10)).toBe(text);
          await theirs.put(type, 'ABCD', 20, text);
          expect(await holdingValues(ours, type).read(20, 1)).toEqual([text]);
        }
      }
    });

    it('as a server does everything for our client', async () => {
      const client = await connectClient(await their.server());
      await exerciseUnit(asUnitClient(client), filledTables);
      // It does not support this function.
      await expect(identify(client)).rejects.toMatchObject({
        code: 'modbus_exception',
        details: { exception: 1, name: 'illegal_function' },
      });
      expect(await client.read('input', 3, 1)).toEqual(Uint16Array.of(23_757));
      const { failures, timeouts, protocol_errors } = client.session.counters.counts;
      expect({ failures, timeouts, protocol_errors }).toEqual({
        failures: 0,
        timeouts: 0,
        protocol_errors: 0,
      });
    });

    it('as a server is read and written from the command line', async () => {
      const endpoint = `--endpoint=${await their.server()}`;
      const call = (verb: string, ...args: string[]) =>
        bench().json('modbus', verb, endpoint, '--unit=1', patiently, ...args);
      await call('write', '--reference=40011', '--type=s64', '--order=DCBA', '--value=-2');
      expect(
        await call('read', '--table=holding', '--address=10', '--type=s64', '--order=DCBA'),
      ).toMatchObject({ values: ['-2'], registers: [0xfeff, 0xffff, 0xffff, 0xffff] });
      expect(await call('read', '--reference=10001', '--count=4')).toMatchObject({
        values: ['true', 'false', 'false', 'true'],
      });
      const refused = await bench().failure(
        ...['modbus', 'read', endpoint, '--unit=1', '--table=input', '--address=3000'],
        patiently,
      );
      expect(refused).toMatchObject({
        exit: 1,
        code: 'modbus_exception',
        details: { exception: 2, name: 'illegal_data_address', unit: 1 },
      });
    });
  });

  describe.runIf(hasWire)('over RTU', () => {
    const their = libmodbus('rtu');
    const bench = useDaemon();

    it('as a client does everything with a server of the daemon', async () => {
      const wire = await setUpWire();
      await serveFromDaemon(bench(), `rtu:${wire.one}`);
      await exerciseUnit(await their.client(wire.other), emptyTables);
      const { servers } = await bench().json<{ servers: object[] }>('modbus', 'status');
      expect(servers).toMatchObject([{ foreign_unit: 0, bad_frames: 0 }]);
    });

    it('as a client does everything with a server that has an end', async () => {
      const wire = await setUpWire();
      await serveHere(`rtu:${wire.one}`);
      await exerciseUnit(await their.client(wire.other), filledTables);
    });

    it('as a server does everything for our client', async () => {
      const wire = await setUpWire();
      await their.server(wire.other);
      await exerciseUnit(asUnitClient(await connectClient(`rtu:${wire.one}`)), filledTables);
    });

    it('as a server is read and written from the command line', async () => {
      const wire = await setUpWire();
      await their.server(wire.other);
      const call = (verb: string, ...args: string[]) =>
        bench().json('modbus', verb, `--endpoint=rtu:${wire.one}`, '--unit=1', patiently, ...args);
      await call('write', '--reference=40002', '--bit=15=1', '--bit=0=1');
      expect(await call('read', '--reference=40002')).toMatchObject({ values: ['32769'] });
    });
  });
});
