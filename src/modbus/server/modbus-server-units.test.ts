import { afterEach, describe, expect, it } from 'vitest';
import { crc16 } from '../framing/checksums.ts';
import { bytesOf } from '../pdu/testing/bytes-of.ts';
import { DataModel } from './data-model.ts';
import { ModbusServer, type UnitSettings } from './modbus-server.ts';
import { writeRegisters } from './testing/held-data.ts';
import { RawClient, systemPorts, tcpEndpoint } from './testing/server-rig.ts';

/** A frame of a serial line with its CRC, in hex. */
const rtu = (hex: string): string => {
  const content = bytesOf(hex);
  const crc = crc16(content, 0, content.length);
  return Buffer.from([...content, crc & 0xff, crc >> 8]).toString('hex');
};

const modelWith = (register: number): DataModel => {
  const model = new DataModel();
  writeRegisters(model, 'holding', 0, Uint16Array.of(register));
  return model;
};

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const setUp = async (kind: 'tcp' | 'rtu-tcp', units: readonly UnitSettings[]) => {
  const ports = systemPorts();
  const server = new ModbusServer(ports);
  const served = await server.serve({ ...tcpEndpoint(), kind }, units);
  const client = new RawClient('port' in served ? served.port : 0);
  ends.push(
    async () => expect(ports.defects).toEqual([]),
    () => server.stop(),
    () => client.leave(),
  );
  expect(served.kind).toBe(kind);
  return { server, client };
};

describe('ModbusServer with several units', () => {
  it('serves each from a model of its own, and counts all of them together', async () => {
    const { server, client } = await setUp('tcp', [
      { unit: 1, model: modelWith(0x11) },
      { unit: 9, model: modelWith(0x99) },
    ]);
    client.send('0001 0000 0006 09 03 0000 0001 0002 0000 0006 01 03 0000 0001');
    expect(await client.hears(22)).toBe('00010000000509030200990002000000050103020011');
    client.send('0003 0000 0006 02 03 0000 0001 0004 0000 0006 01 06 0000 0005');
    expect(await client.hears(12)).toBe('000400000006010600000005');
    client.send('0005 0000 0006 09 03 0000 0001');
    expect(await client.hears(11)).toBe('0005000000050903020099');
    expect(server.record()).toMatchObject({ units: [1, 9], requests: 4, foreign_unit: 1 });
  });

  it('answers late for a slow unit', async () => {
    const { client } = await setUp('tcp', [
      { unit: 1, model: modelWith(1), faults: [{ delayMs: 1, functions: [3] }] },
    ]);
    client.send('0001 0000 0006 01 03 0000 0001 0002 0000 0006 01 04 0000 0001');
    expect(await client.hears(22)).toBe('00010000000501030200010002000000050104020000');
  });
});

describe('ModbusServer over RTU on a connection', () => {
  it('serves requests wherever they are cut, and functions that it does not know', async () => {
    const { server, client } = await setUp('rtu-tcp', [{ unit: 0x11, model: modelWith(7) }]);
    const read = rtu('11 03 0000 0001');
    client.send(read + read);
    expect(await client.hears(14)).toBe(rtu('11 03 02 0007').repeat(2));
    client.send(read.slice(0, 6));
    client.send(read.slice(6));
    expect(await client.hears(7)).toBe(rtu('11 03 02 0007'));
    client.send(rtu('11 63 01'));
    expect(await client.hears(5)).toBe(rtu('11 E3 01'));
    expect(server.record()).toMatchObject({ requests: 4, bad_frames: 0 });
  });

  it('does what is written to all units, and answers for none', async () => {
    const models = [modelWith(1), modelWith(2)] as const;
    const { server, client } = await setUp('rtu-tcp', [
      { unit: 1, model: models[0] },
      { unit: 2, model: models[1] },
    ]);
    client.send(rtu('00 06 0000 0017') + rtu('00 03 0000 0001') + rtu('02 03 0000 0001'));
    expect(await client.hears(7)).toBe(rtu('02 03 02 0017'));
    expect(models.map((model) => model.tables.holding.get(0))).toEqual([0x17, 0x17]);
    expect(server.record()).toMatchObject({ broadcasts: 1 });
  });

  it('refuses units that no device on a serial line may have', async () => {
    const server = new ModbusServer(systemPorts());
    const endpoint = { ...tcpEndpoint(), kind: 'rtu-tcp' } as const;
    for (const unit of [0, 248]) {
      await expect(server.start(endpoint, unit, { model: modelWith(0) })).rejects.toMatchObject({
        code: 'invalid_argument',
        details: { field: 'unit' },
      });
    }
  });
});
