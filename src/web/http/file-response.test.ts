import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FileDownload } from '../../base/files/file-download.ts';
import { findProjectFile } from '../../base/files/file-downloads.ts';
import { eventually } from '../../base/testing/eventually.ts';
import { attachment, sendFile } from './file-response.ts';

const large = 16 * 1024 * 1024;

/** A server that sends one file; `read` counts the pieces read from it. */
const setUp = async (size: number) => {
  const folder = mkdtempSync(join(tmpdir(), 'busbar-download-'));
  const path = join(folder, 'a.asc');
  const content = Buffer.alloc(size, 'line\n');
  writeFileSync(path, content);
  const seen = { read: 0, closed: 0 };
  const open = () =>
    FileDownload.open(findProjectFile(folder, 'a.asc'), { path: 'a.asc' }, () => {
      seen.closed += 1;
    });
  const server = createServer(async (_, response) => {
    const file = await open();
    const { read } = file;
    file.read = (...of) => {
      seen.read += 1;
      return read.apply(file, of);
    };
    sendFile(response, file, 200, { 'content-type': 'application/octet-stream' });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true });
  });
  const { port } = server.address() as AddressInfo;
  const ask = (method = 'GET') =>
    new Promise<IncomingMessage>((resolve, reject) => {
      request({ host: '127.0.0.1', port, method }, resolve).on('error', reject).end();
    });
  return { path, content, seen, ask };
};

const bodyOf = async (answer: IncomingMessage): Promise<Buffer> => {
  const pieces: Buffer[] = [];
  for await (const piece of answer) pieces.push(piece);
  return Buffer.concat(pieces);
};

describe('sendFile', () => {
  it.each([0, 1, 64 * 1024, 300_001])('sends a file of %i bytes as it is', async (size) => {
    const { content, seen, ask } = await setUp(size);
    const answer = await ask();
    expect(answer.headers).toMatchObject({
      'content-length': String(size),
      'content-disposition': 'attachment; filename="a.asc"',
    });
    expect((await bodyOf(answer)).equals(content)).toBe(true);
    await eventually(() => seen.closed === 1);
  });

  it('answers HEAD without reading the file', async () => {
    const { seen, ask } = await setUp(1000);
    const answer = await ask('HEAD');
    expect(answer.headers['content-length']).toBe('1000');
    expect(await bodyOf(answer)).toHaveLength(0);
    await eventually(() => seen.closed === 1);
    expect(seen.read).toBe(0);
  });

  it('holds little for a client that does not read, and closes the file when it leaves', async () => {
    const { seen, ask } = await setUp(large);
    const answer = await ask();
    answer.pause();
    let last = -1;
    // The system takes some pieces into its buffers.
    await eventually(() => {
      const before = last;
      last = seen.read;
      return last === before && last > 0;
    });
    expect(seen.read).toBeLessThan(large / (64 * 1024));
    expect(seen.closed).toBe(0);
    answer.destroy();
    await eventually(() => seen.closed === 1);
  });

  it('breaks off a file that has become shorter', async () => {
    const { path, seen, ask } = await setUp(large);
    const answer = await ask();
    truncateSync(path, 1000);
    await expect(bodyOf(answer)).rejects.toThrow();
    await eventually(() => seen.closed === 1);
  });
});

describe('attachment', () => {
  it.each([
    ['night-1.asc', 'attachment; filename="night-1.asc"'],
    ['Tür "1".asc', `attachment; filename="T_r _1_.asc"; filename*=UTF-8''T%C3%BCr%20%221%22.asc`],
    [
      "a'b\r\nx: y.asc",
      `attachment; filename="a'b__x: y.asc"; filename*=UTF-8''a%27b%0D%0Ax%3A%20y.asc`,
    ],
  ])('names %j so that no client misreads it', (name, header) => {
    expect(attachment(name)).toBe(header);
  });
});
