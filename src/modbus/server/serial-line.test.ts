import { realpathSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ByteLink } from '../../base/serial/byte-link.ts';
import { PtyPair } from '../../base/serial/testing/pty-pair.ts';
import { RecordedLink } from '../../base/serial/testing/recorded-link.ts';
import { eventually } from '../../base/testing/eventually.ts';
import type { ResolvedSerialEndpoint } from '../transport/endpoint.ts';
import { openSerialLink } from '../transport/serial-link.ts';
import { DataModel } from './data-model.ts';
import { ModbusServer } from './modbus-server.ts';
import { writeRegisters } from './testing/held-data.ts';
import { systemPorts } from './testing/server-rig.ts';

const settings = { baudRate: 115_200, dataBits: 8, parity: 'none', stopBits: 1 } as const;

describe('ModbusServer on a serial line', () => {
  let pair: PtyPair;
  let server: ModbusServer;
  let client: { readonly received: RecordedLink; readonly link: ByteLink };
  let lost: unknown[];
  const model = new DataModel();

  beforeEach(async () => {
    pair = await PtyPair.create();
    lost = [];
    server = new ModbusServer({ ...systemPorts(), onLost: (error) => void lost.push(error) });
    client = RecordedLink.open((receiver) =>
      openSerialLink({ path: pair.one, settings }, receiver),
    );
    await client.received.whenOpened;
    writeRegisters(model, 'holding', 0, Uint16Array.of(6, 5));
  });
  afterEach(async () => {
    client.link.close();
    await server.stop();
    await pair.remove();
  });

  const endpoint = (kind: 'rtu' | 'ascii'): ResolvedSerialEndpoint => ({
    kind,
    named: pair.other,
    path: realpathSync(pair.other),
    settings,
    key: pair.other,
    text: `${kind}:${pair.other}`,
  });

  const say = (bytes: string): void => client.link.write(Buffer.from(bytes, 'latin1'));

  it('answers over RTU', async () => {
    const served = await server.start(endpoint('rtu'), 1, { model });
    expect(served).toEqual({ kind: 'rtu', path: realpathSync(pair.other) });
    say('\x01\x03\x00\x00\x00\x02\xc4\x0b');
    await client.received.until('\x01\x03\x04\x00\x06\x00\x05\xda\x31');
    expect(server.record()).toMatchObject({ state: 'listening', requests: 1, bad_frames: 0 });
  });

  it('answers over ASCII', async () => {
    await server.start(endpoint('ascii'), 1, { model });
    say(':010300000002FA\r\n');
    await client.received.until(':01030400060005ED\r\n');
  });

  it('lets go of the port when it stops', async () => {
    await server.start(endpoint('rtu'), 1, { model });
    await server.stop();
    await server.start(endpoint('ascii'), 1, { model });
    expect(server.state).toBe('listening');
  });

  it('tells that the port is lost, and stops cleanly then', async () => {
    await server.start(endpoint('rtu'), 1, { model });
    await pair.cut();
    await eventually(() => lost.length > 0);
    expect(server.state).toBe('lost');
    expect(lost).toEqual([expect.objectContaining({ code: 'modbus_unreachable' })]);
  });

  it('says why a port cannot be had', async () => {
    const nowhere = { ...endpoint('rtu'), path: `${pair.folder}/none` };
    await expect(server.start(nowhere, 1, { model })).rejects.toMatchObject({
      code: 'modbus_unreachable',
    });
    expect(server.state).toBe('stopped');
  });
});
