import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ask } from '../support/http.ts';
import { setUpWorkbench } from '../support/workbench.ts';
import { processesOf } from './support/processes.ts';

const token = 'a-secret-of-this-test';

const start = ['web', 'start', '--listen=127.0.0.1:0', '--format=json'] as const;

describe('the token of the Web service', () => {
  it('comes from a file or the environment, and is then nowhere to be seen', async () => {
    const bench = setUpWorkbench();
    writeFileSync(join(bench.project, 'token'), `${token}\n`, { mode: 0o600 });
    const sources = [
      { args: ['--token-file=token'], env: {} },
      { args: [], env: { BUSBAR_TOKEN: token } },
    ];
    for (const { args, env } of sources) {
      const { code, stdout } = await bench.run([...start, ...args], { env });
      expect(code).toBe(0);
      expect(stdout).not.toContain(token);
      const { listen, authentication } = JSON.parse(stdout);
      expect(authentication).toBe('token');
      const port = Number(listen.split(':').at(-1));
      const path = '/api/v1/info';
      expect((await ask({ port, path })).status).toBe(401);
      const headers = { authorization: `Bearer ${token}` };
      expect((await ask({ port, path, headers })).status).toBe(200);

      for (const { pid } of processesOf(bench.home)) {
        expect(readFileSync(`/proc/${pid}/cmdline`, 'latin1')).not.toContain(token);
        expect(readFileSync(`/proc/${pid}/environ`, 'latin1')).not.toContain(token);
      }
      expect(bench.log).not.toContain(token);
      // The daemon that the next round starts gets no token from the environment either.
      await bench.json('daemon', 'stop');
    }
  });

  it('comes from one source, and no daemon is started where it cannot be had', async () => {
    const bench = setUpWorkbench();
    writeFileSync(join(bench.project, 'open'), token, { mode: 0o644 });
    const attempts = [
      { args: ['--token=a'], env: { BUSBAR_TOKEN: token }, code: 'invalid_argument' },
      { args: ['--token-file=open'], env: {}, code: 'invalid_argument' },
      { args: ['--token-file=none'], env: {}, code: 'file_not_found' },
      { args: [], env: { BUSBAR_TOKEN: '' }, code: 'invalid_argument' },
    ];
    for (const { args, env, code } of attempts) {
      const { stderr } = await bench.run([...start, ...args], { env });
      expect(JSON.parse(stderr).error).toMatchObject({ code });
      expect(stderr).not.toContain(token);
    }
    expect(bench.daemonPid).toBeNull();
  });
});
