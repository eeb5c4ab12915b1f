import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { listenError } from './listen-error.ts';

describe('listenError', () => {
  it('knows an address that is taken', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const rival = createServer();
    const thrown = await new Promise((resolve) => {
      rival.once('error', resolve);
      rival.listen(port, '127.0.0.1');
    });
    server.close();
    const error = listenError(thrown, `127.0.0.1:${port}`);
    expect(error).toMatchObject({
      code: 'address_in_use',
      details: { field: 'listen', listen: `127.0.0.1:${port}`, reason: 'EADDRINUSE' },
    });
    expect(error.message).toContain(`127.0.0.1:${port}`);
    expect(error.cause).toBe(thrown);
  });

  it.each([
    [Object.assign(new Error('inner'), { code: 'EACCES' }), 'EACCES'],
    [Object.assign(new Error('inner'), { code: 'EADDRNOTAVAIL' }), 'EADDRNOTAVAIL'],
    [new Error('inner'), 'unknown'],
  ])('names the reason of %s', (thrown, reason) => {
    const error = listenError(thrown, '10.0.0.1:80');
    expect(error).toMatchObject({ code: 'listen_failed', details: { reason } });
    expect(error.message).toBe(`Cannot listen on 10.0.0.1:80 (${reason})`);
  });
});
