import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { Deferred } from '../../base/deferred.ts';
import { readFirmwareIndex } from './read-firmware-index.ts';

const valid = {
  format: 'busbar-firmware',
  schema_version: 1,
  releases: [{ device: 'Virtual bench', version: '1.1.0' }],
};

describe('readFirmwareIndex', () => {
  let directory: string;
  let server: Server | undefined;
  const clock = new FakeClock();
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'busbar-firmware-'));
  });
  afterEach(async () => {
    rmSync(directory, { recursive: true });
    server?.closeAllConnections();
    await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
    server = undefined;
  });

  const fromFile = (text: string) => {
    writeFileSync(join(directory, 'index.json'), text);
    return read('index.json');
  };
  const read = (firmware_index: string | null) =>
    readFirmwareIndex({ firmware_index, path: join(directory, 'busbar.bench.json') }, clock);
  const fromServer = async (listener: RequestListener) => {
    const created = createServer(listener);
    server = created;
    await new Promise<void>((resolve) => created.listen(0, '127.0.0.1', resolve));
    return read(`http://127.0.0.1:${(created.address() as AddressInfo).port}/index.json`);
  };

  it('finds a file from where the bench file lies', async () => {
    mkdirSync(join(directory, 'firmware'));
    writeFileSync(join(directory, 'firmware', 'list.json'), JSON.stringify(valid));
    await expect(read('firmware/list.json')).resolves.toEqual({
      index: join(directory, 'firmware', 'list.json'),
      firmware: valid,
    });
  });

  it('asks a server', async () => {
    const found = await fromServer((_, response) => response.end(JSON.stringify(valid)));
    expect(found.firmware).toEqual(valid);
  });

  it('says that the bench names no index', async () => {
    await expect(read(null)).rejects.toMatchObject({ code: 'firmware_index_missing' });
  });

  it('says that the file is not there, or no file', async () => {
    await expect(read('absent.json')).rejects.toMatchObject({
      code: 'firmware_index_unreachable',
      details: { index: join(directory, 'absent.json'), reason: 'ENOENT' },
      retryable: false,
    });
    await expect(read('.')).rejects.toMatchObject({ code: 'firmware_index_unreachable' });
  });

  it('says that nobody listens at the address', async () => {
    const created = createServer();
    await new Promise<void>((resolve) => created.listen(0, '127.0.0.1', resolve));
    const { port } = created.address() as AddressInfo;
    await new Promise((resolve) => created.close(resolve));
    await expect(read(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({
      code: 'firmware_index_unreachable',
      details: { reason: 'ECONNREFUSED' },
      retryable: true,
    });
  });

  it('says that the server refused', async () => {
    const refused = fromServer((_, response) => response.writeHead(404).end());
    await expect(refused).rejects.toMatchObject({
      code: 'firmware_index_unreachable',
      details: { reason: 'status 404' },
      retryable: false,
    });
  });

  it('lets go of a server that goes on after it refused', async () => {
    const left = new Deferred<void>();
    const refused = fromServer((request, response) => {
      request.socket.on('close', () => left.resolve());
      response.writeHead(500).write('sorry');
    });
    await expect(refused).rejects.toMatchObject({
      details: { reason: 'status 500' },
      retryable: true,
    });
    await left.promise;
  });

  it('does not wait for ever', async () => {
    const asked = fromServer(() => clock.advanceUs(10_000_000));
    await expect(asked).rejects.toMatchObject({
      code: 'firmware_index_unreachable',
      details: { reason: 'no response in time' },
    });
  });

  const malformed: readonly (readonly [string, string, string])[] = [
    ['is no JSON', '{', ''],
    ['is of another format', JSON.stringify({ ...valid, format: 'other' }), 'format'],
    ['repeats a field', '{"format":"busbar-firmware","format":"busbar-firmware"}', 'format'],
    [
      'has a version that cannot be put in order',
      JSON.stringify({ ...valid, releases: [{ device: 'A', version: 'new' }] }),
      'releases[0].version',
    ],
    [
      'has a field too many',
      JSON.stringify({ ...valid, releases: [{ device: 'A', version: '1', size: 3 }] }),
      'releases[0].size',
    ],
  ];
  it.each(malformed)('names what is wrong with a file that %s', async (_, text, field) => {
    await expect(fromFile(text)).rejects.toMatchObject({
      code: 'invalid_firmware_index',
      details: { problems: [{ field }] },
    });
  });

  it('refuses a file and an answer without end', async () => {
    const large = `${JSON.stringify(valid)}${' '.repeat(1024 * 1024)}`;
    await expect(fromFile(large)).rejects.toMatchObject({ code: 'invalid_firmware_index' });
    const answered = fromServer((_, response) => response.end(large));
    await expect(answered).rejects.toMatchObject({ code: 'invalid_firmware_index' });
  });
});
