import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askJson, type HttpAnswer } from '../support/http.ts';
import { Workbench } from '../support/workbench.ts';

const bench = new Workbench();
const golden = join(import.meta.dirname, '../golden/gwproj');
const file = (name: string): string => join(bench.project, name);
const received = ['--file=pump.dbc', '--network=body', '--direction=rx', '--stale-after-ms=0'];

beforeAll(() => {
  writeFileSync(file('pump.dbc'), readFileSync(join(golden, 'pump.dbc')));
});
afterAll(() => bench.dispose());

describe('gateway import on the command line', () => {
  it('makes a project that validates, without a daemon', async () => {
    const answer = await bench.json('gateway', 'import', '--output=pump.gwproj', ...received);
    expect(answer).toMatchObject({
      output: file('pump.gwproj'),
      id: null,
      counts: { messages: 3, signals: 10 },
      added: { messages: 3, signals: 10 },
      defaults_total: 4,
      omitted: [],
    });
    const text = readFileSync(file('pump.gwproj'), 'utf8');
    expect(text).toBe(readFileSync(join(golden, 'pump.rx.gwproj'), 'utf8'));
    expect(await bench.json('gateway', 'validate', '--file=pump.gwproj')).toMatchObject({
      valid: true,
    });
    expect(await bench.json('daemon', 'status')).toMatchObject({ state: 'stopped' });
  });

  it('asks how to send what has no period, and leaves no file then', async () => {
    const sent = ['--file=pump.dbc', '--network=rig', '--direction=tx', '--output=rig.gwproj'];
    const { code, stderr } = await bench.run(['gateway', 'import', ...sent]);
    expect(code).toBe(1);
    expect(stderr).toContain('The file has no period for Pump_Service');
    expect(existsSync(file('rig.gwproj'))).toBe(false);
    const merged = await bench.json(
      'gateway',
      'import',
      ...sent,
      '--merge=pump.gwproj',
      '--instance=pump',
      '--missing-cycle=periodic',
      '--default-period-ms=500',
    );
    expect(merged).toMatchObject({ id: 'pump', counts: { endpoints: 2 }, added: { tx_tasks: 3 } });
  });
});

describe('gateway imports of several processes into one project', () => {
  it('keep the rows of all of them', async () => {
    const networks = Array.from({ length: 6 }, (_, index) => `net${index}`);
    const own = ['--output=shared.gwproj', '--file=pump.dbc', '--direction=rx'];
    const more = ['--stale-after-ms=0', '--format=json'];
    const made = await bench.ask(['gateway', 'import', '--network=base', ...own, ...more]);
    expect(made.code, made.stderr).toBe(0);
    const ended = await Promise.all(
      networks.map((network) =>
        bench.run([
          ...['gateway', 'import', `--network=${network}`, '--merge=shared.gwproj'],
          ...[...own, ...more],
        ]),
      ),
    );
    for (const { code, stderr } of ended) expect(code, stderr).toBe(0);
    const { endpoints, messages } = JSON.parse(readFileSync(file('shared.gwproj'), 'utf8'));
    const found = endpoints.map(({ network }: { network: string }) => network);
    expect(found.sort()).toEqual(['base', ...networks]);
    expect(messages).toHaveLength(7 * 3);
    expect(readdirSync(bench.project).filter((name) => name.startsWith('.shared'))).toEqual([]);
  });
});

describe('gateway import over HTTP', () => {
  let port = 0;
  beforeAll(async () => {
    ({ port } = await bench.startWeb());
  });

  const post = (json: object): Promise<HttpAnswer> =>
    askJson({ port, path: '/api/v1/gateways/import', json });
  const body = { file: 'pump.dbc', output: 'http.gwproj', network: 'body', direction: 'rx' };
  const refusal = async (json: object) => {
    const answer = await post(json);
    const { code, details } = answer.json().error;
    return { status: answer.status, code, field: details.field };
  };

  it('writes into the directory of the daemon, and what it wrote can be loaded', async () => {
    const answer = await post({ ...body, stale_after_ms: 0, instance: 'pump' });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.json()).toMatchObject({ output: 'http.gwproj', id: 'pump' });
    const own = { ...body, network: 'spare', merge: 'http.gwproj', stale_after_ms: 10 };
    expect((await post(own)).json()).toMatchObject({ counts: { messages: 6 }, id: 'pump' });
    const loaded = await askJson({ port, path: '/api/v1/gateways', json: { file: 'http.gwproj' } });
    expect(loaded.status, loaded.text).toBe(201);
  });

  it('refuses in the name of the field', async () => {
    const complete = { ...body, stale_after_ms: 0 };
    writeFileSync(file('busbar.bench.json'), '{ "project_id": "bench" }');
    const cases: readonly [object, number, string, string][] = [
      [body, 400, 'invalid_argument', 'stale_after_ms'],
      [{ ...complete, stale_after_ms: '0' }, 400, 'invalid_argument', 'stale_after_ms'],
      [{ ...complete, stale_after_ms: 4294967296 }, 400, 'invalid_argument', 'stale_after_ms'],
      [{ ...complete, instance: '' }, 400, 'invalid_argument', 'instance'],
      [{ ...complete, direction: 'both' }, 400, 'invalid_argument', 'direction'],
      [{ ...complete, extra: 1 }, 400, 'invalid_argument', 'extra'],
      [{ ...complete, output: '../out.gwproj' }, 403, 'path_outside_project', 'output'],
      [{ ...complete, merge: '/etc/passwd' }, 403, 'path_outside_project', 'merge'],
      [{ ...complete, output: 'http.gwproj', overwrite: false }, 409, 'already_exists', 'output'],
      [{ ...complete, output: 'new.json' }, 400, 'invalid_argument', 'output'],
      [{ ...complete, output: 'busbar.bench.json' }, 409, 'file_unavailable', 'output'],
      [{ ...complete, file: 'none.dbc' }, 404, 'file_not_found', 'file'],
      [{ ...complete, direction: 'tx' }, 422, 'missing_cycle', 'missing_cycle'],
      [{ ...complete, merge: 'http.gwproj' }, 422, 'invalid_project', 'merge'],
    ];
    for (const [json, status, code, field] of cases) {
      expect(await refusal(json)).toEqual({ status, code, field });
    }
    expect(readFileSync(file('busbar.bench.json'), 'utf8')).toBe('{ "project_id": "bench" }');
  });
});
