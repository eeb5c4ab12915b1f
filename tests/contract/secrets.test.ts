import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ask, askJson, sendRaw } from '../support/http.ts';
import { setUpWorkbench } from '../support/workbench.ts';

const token = 'start-token-0f9a+/=~';

/** Marks that must never appear again, one for each input of the service. */
const secrets = {
  header: 'secret-in-authorization',
  basic: Buffer.from('user:secret-in-basic').toString('base64'),
  cookie: 'secret-in-cookie',
  query: 'secret-in-query',
  queryName: 'secret-in-query-name',
  body: 'secret-in-body',
  bodyField: 'secret-in-body-field',
  text: 'secret-in-text-body',
  subprotocol: 'secret-in-subprotocol',
  custom: 'secret-in-custom-header',
  host: 'secret-in-host.example',
  origin: 'secret-in-origin.example',
  agent: 'secret-in-user-agent',
  malformed: 'secret-in-malformed-line',
};

describe('the diagnostic log', () => {
  it('never contains what callers send as secrets, at its most talkative level', async () => {
    const bench = setUpWorkbench();
    const file = join(bench.project, 'web.log');
    const { port } = await bench.startWeb(
      `--token=${token}`,
      '--log-level=debug',
      `--log-file=${file}`,
    );
    const authorized = { authorization: `Bearer ${token}` };
    const noise = {
      cookie: `session=${secrets.cookie}`,
      'x-api-key': secrets.custom,
      'user-agent': secrets.agent,
      origin: `http://${secrets.origin}`,
    };

    await ask({ port, path: '/api/v1/info', headers: { ...authorized, ...noise } });
    await ask({
      port,
      path: '/api/v1/info',
      headers: { authorization: `Bearer ${secrets.header}` },
    });
    await ask({ port, path: '/api/v1/info', headers: { authorization: `Basic ${secrets.basic}` } });
    await ask({
      port,
      path: `/api/v1/info?${secrets.queryName}=${secrets.query}`,
      headers: authorized,
    });
    await ask({ port, path: `/?token=${secrets.query}#${secrets.query}`, headers: noise });
    await ask({ port, path: `/nothing?token=${token}` });
    const path = '/api/v1/execute';
    await askJson({ port, path, headers: authorized, json: { operation: secrets.body } });
    await askJson({ port, path, headers: authorized, json: { [secrets.bodyField]: secrets.body } });
    await ask({
      port,
      method: 'POST',
      path,
      headers: { ...authorized, 'content-type': 'application/json' },
      body: `{"operation":"${secrets.body}`,
    });
    await ask({
      port,
      method: 'POST',
      path,
      headers: { ...authorized, 'content-type': 'text/plain' },
      body: secrets.text,
    });
    const upgrade = [
      'GET /api/v1/info HTTP/1.1',
      `Host: ${secrets.host}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      `Sec-WebSocket-Protocol: svc.frames.v2, svc.token.${secrets.subprotocol}`,
    ];
    await sendRaw(port, `${upgrade.join('\r\n')}\r\n\r\n`);
    await sendRaw(port, `GET / HTTP/1.1\r\n${secrets.malformed}\r\n\r\n`);
    // A token in a path is the caller's mistake, but still must not be logged.
    await ask({ port, path: `/api/v1/jobs/${encodeURIComponent(token)}`, headers: authorized });
    await ask({ port, path: `/${encodeURIComponent(token)}` });
    await bench.json('web', 'stop');

    const written = readFileSync(file, 'utf8') + bench.log;
    for (const secret of [token, encodeURIComponent(token), ...Object.values(secrets)]) {
      expect(written).not.toContain(secret);
    }
    const records = readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const events = new Set(records.map(({ event }) => event));
    expect([...events].sort()).toEqual(['error_detail', 'lifecycle', 'request', 'route']);
    const details = records.filter(({ event }) => event === 'error_detail');
    expect(new Set(details.map(({ detail }) => detail))).toEqual(new Set(['[redacted]']));
  });

  it('keeps the start token out of status, records and files of the home', async () => {
    const bench = setUpWorkbench();
    await bench.startWeb(`--token=${token}`);
    const status = await bench.ask(['web', 'status', '--format=json']);
    expect(status.stdout).not.toContain(token);
    expect(await bench.failure('web', 'start')).toMatchObject({ code: 'already_running' });
    for (const name of ['daemon.log', 'daemon.json', 'web.json']) {
      expect(readFileSync(join(bench.home, name), 'utf8')).not.toContain(token);
    }
  });
});
