import { describe, expect, it } from 'vitest';
import { admitListener } from './web-service.ts';

const admit = (listen: string, token: string | null = null, allowInsecureHttp = false) =>
  admitListener({ listen, token, allowInsecureHttp });

describe('admitListener', () => {
  it.each([
    ['127.0.0.1:8080', { host: '127.0.0.1', port: 8080 }],
    ['127.0.0.1:0', { host: '127.0.0.1', port: 0 }],
    ['127.200.3.4:1', { host: '127.200.3.4', port: 1 }],
    ['[::1]:8080', { host: '::1', port: 8080 }],
    ['[0:0:0:0:0:0:0:1]:1', { host: expect.stringMatching(/1$/), port: 1 }],
    ['localhost:8080', { host: expect.stringMatching(/^(127\.0\.0\.1|::1)$/), port: 8080 }],
  ])('admits %s, which only this machine can reach', async (listen, address) => {
    expect(await admit(listen)).toEqual(address);
  });

  it.each(['0.0.0.0:8080', '[::]:8080', '192.0.2.1:8080', '[2001:db8::1]:8080'])(
    'admits %s, which others can reach, only with a token and an acknowledgement',
    async (listen) => {
      const refusal = (field: string) => ({ code: 'invalid_argument', details: { field } });
      await expect(admit(listen)).rejects.toMatchObject(refusal('token'));
      await expect(admit(listen, null, true)).rejects.toMatchObject(refusal('token'));
      await expect(admit(listen, 'secret')).rejects.toMatchObject(refusal('allow_insecure_http'));
      expect((await admit(listen, 'secret', true)).port).toBe(8080);
    },
  );

  it('judges the address that a text stands for, not the text', async () => {
    // Notations that the system also accepts as addresses.
    expect(await admit('127.1:80')).toEqual({ host: '127.0.0.1', port: 80 });
    await expect(admit('0:80')).rejects.toMatchObject({ details: { field: 'token' } });
  });

  it.each(['', '8080', ':8080', '127.0.0.1', '127.0.0.1:', '127.0.0.1:65536', '::1:80', 'a b:80'])(
    'refuses %j, which is no endpoint',
    async (listen) => {
      await expect(admit(listen)).rejects.toMatchObject({
        code: 'invalid_argument',
        details: { field: 'listen' },
      });
    },
  );

  it('fails for a name that means nothing', async () => {
    // No resolver is called for a label of more than 63 characters.
    await expect(admit(`${'x'.repeat(64)}:8080`)).rejects.toMatchObject({
      code: 'listen_failed',
      details: { field: 'listen', reason: 'ENOTFOUND' },
    });
  });
});
