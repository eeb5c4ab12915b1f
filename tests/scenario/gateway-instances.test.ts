import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { itOnce as it, itLong } from '../../src/base/testing/long.ts';
import {
  coolantProject,
  type LooseProject,
  settableProject,
} from '../../src/gateway/project/testing/coolant-project.ts';
import { ask, askJson, type HttpAnswer } from '../support/http.ts';
import { Workbench } from '../support/workbench.ts';

const bench = new Workbench();
let port = 0;
const path = '/api/v1/gateways';

const file = (name: string): string => join(bench.project, name);
const write = (name: string, project: LooseProject): void =>
  writeFileSync(file(name), JSON.stringify(project));
const post = (to: string, json: unknown): Promise<HttpAnswer> => askJson({ port, path: to, json });
const get = async (from: string) => (await ask({ port, path: from })).json();
const load = (instance?: string): Promise<HttpAnswer> =>
  post(path, { file: 'coolant.gwproj', ...(instance === undefined ? {} : { instance }) });
const unload = (name: string): Promise<HttpAnswer> =>
  ask({ port, method: 'DELETE', path: `${path}/${name}` });
const set = (name: string, json: unknown): Promise<HttpAnswer> =>
  askJson({ port, method: 'PUT', path: `${path}/${name}/signals`, json });
const refusal = ({ status, json }: HttpAnswer) => {
  const { code, details } = json().error;
  return { status, code, field: details.field };
};

beforeAll(async () => {
  ({ port } = await bench.startWeb());
  write('coolant.gwproj', coolantProject());
  write('settable.gwproj', settableProject());
  mkdirSync(file('inner'));
  writeFileSync(join(bench.project, '..', 'outside.gwproj'), '{}');
});
afterAll(() => bench.dispose());

describe('instances of gateway projects', () => {
  it('are loaded, listed, shown and unloaded', async () => {
    const answer = await load();
    expect(answer.status, answer.text).toBe(201);
    const record = answer.json();
    expect(record).toMatchObject({
      instance: 'coolant',
      project_id: 'coolant',
      file: 'coolant.gwproj',
      state: 'loaded',
      health: 'ok',
      task_total: 1,
      task_next_offset: 1,
      endpoint_total: 2,
    });
    expect(record.tasks).toMatchObject([{ id: 'PumpCommand', period_ms: 20, state: 'loaded' }]);
    expect(record.memory_budget_bytes).toBe(record.daemon_memory_budget_bytes);
    const { gateways } = await get(path);
    expect(gateways).toEqual([{ ...record, endpoints: [], task_next_offset: 0, tasks: [] }]);
    expect(await get(`${path}?instance=coolant&offset=0&limit=1`)).toEqual(record);
    expect(await get(`${path}?instance=coolant&offset=7`)).toMatchObject({
      task_offset: 7,
      task_next_offset: 1,
      tasks: [],
    });
    expect((await unload('coolant')).json()).toMatchObject({ instance: 'coolant' });
    expect(await get(path)).toEqual({ gateways: [] });
    expect(refusal(await unload('coolant'))).toMatchObject({
      status: 404,
      code: 'instance_not_found',
    });
  });

  it('show their signals with the raws that are to be sent', async () => {
    await load();
    const page = await get(`${path}/coolant/signals`);
    expect(page).toMatchObject({ instance: 'coolant', state: 'loaded', signal_total: 3 });
    expect(page.signals[1]).toEqual({
      id: 'coolant_f',
      type: 'float64',
      producer: 'derived',
      unit: 'degF',
      value: null,
      label: null,
      valid: false,
      quality: 'initial',
      observed_us: null,
      error: null,
      binding_total: 1,
      bindings: [{ id: 'coolant.reg', raw: '-32768', valid: false, error: null }],
    });
    expect(await get(`${path}/coolant/signals?offset=1&limit=1`)).toMatchObject({
      signal_offset: 1,
      signal_next_offset: 2,
      signals: [{ id: 'coolant_f' }],
    });
    expect(await get(`${path}/coolant/signals?offset=9`)).toMatchObject({
      signal_next_offset: 3,
      signals: [],
    });
    await unload('coolant');
  });

  it('take values for software signals, exactly', async () => {
    await post(path, { file: 'settable.gwproj', instance: 'set' });
    const before = await get(`${path}/set/signals`);
    const answer = await set('set', { signal: 'pump', value: '55' });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.json()).toMatchObject({
      id: 'pump',
      value: '55',
      valid: true,
      quality: 'good',
      observed_us: expect.any(Number),
      bindings: [{ id: 'pump.tx', raw: '55', valid: true, error: null }],
    });
    // The wire format holds up to 100: a larger value changes neither the encoded value nor the
    // signal.
    expect((await set('set', { signal: 'pump', value: '101' })).json()).toMatchObject({
      value: '101',
      valid: true,
      bindings: [{ raw: '55', valid: false, error: { code: 'out_of_range' } }],
    });
    const after = await get(`${path}/set/signals`);
    expect(after.snapshot_version).toBeGreaterThan(before.snapshot_version);
    expect(refusal(await set('set', { signal: 'none', value: '1' }))).toMatchObject({
      status: 404,
      code: 'signal_not_found',
    });
    expect(refusal(await set('set', { signal: 'coolant', value: '1' }))).toMatchObject({
      status: 409,
      code: 'signal_not_writable',
    });
    for (const value of ['-1', '1.5', 'x', '18446744073709551616']) {
      expect(refusal(await set('set', { signal: 'pump', value }))).toEqual({
        status: 400,
        code: 'invalid_argument',
        field: 'value',
      });
    }
    expect(refusal(await set('set', { signal: 'pump', value: 5 }))).toMatchObject({
      status: 400,
      field: 'value',
    });
    await unload('set');
  });

  it('save what they were loaded with, also after the file has changed', async () => {
    write('changing.gwproj', settableProject());
    await post(path, { file: 'changing.gwproj', instance: 'saved' });
    await set('saved', { signal: 'pump', value: '55' });
    writeFileSync(file('changing.gwproj'), 'something else');
    const save = (json: object) => post(`${path}/saved/save`, json);
    expect((await save({ file: 'inner/copy.gwproj' })).status).toBe(200);
    const copy = readFileSync(file('inner/copy.gwproj'), 'utf8');
    expect(JSON.parse(copy)).toEqual(settableProject());
    expect((await save({})).status).toBe(200);
    expect(readFileSync(file('changing.gwproj'), 'utf8')).toBe(copy);
    writeFileSync(file('kept.gwproj'), 'kept');
    symlinkSync('kept.gwproj', file('link.gwproj'));
    for (const taken of ['kept.gwproj', 'link.gwproj', './inner/../kept.gwproj']) {
      expect(refusal(await save({ file: taken, overwrite: false })), taken).toMatchObject({
        status: 409,
        code: 'already_exists',
        field: 'file',
      });
    }
    expect(readFileSync(file('kept.gwproj'), 'utf8')).toBe('kept');
    expect((await save({ file: 'free.gwproj', overwrite: false })).status).toBe(200);
    expect(readFileSync(file('free.gwproj'), 'utf8')).toBe(copy);
    expect(refusal(await save({ file: '../outside.gwproj' }))).toMatchObject({
      status: 403,
      code: 'path_outside_project',
      field: 'file',
    });
    expect(readFileSync(join(bench.project, '..', 'outside.gwproj'), 'utf8')).toBe('{}');
    await unload('saved');
  });

  it('save over projects and into new .gwproj files only', async () => {
    write('guarded.gwproj', settableProject());
    await post(path, { file: 'guarded.gwproj', instance: 'guarded' });
    const save = (name: string) => post(`${path}/guarded/save`, { file: name });
    mkdirSync(file('guarded/plugins'), { recursive: true });
    const bench = '{"project_id":"guarded","networks":{}}';
    const others = {
      'guard.bench.json': bench,
      'guarded/plugins/a.so': '\u007fELF',
      'b.gwproj': 'notes',
    };
    for (const [name, text] of Object.entries(others)) {
      writeFileSync(file(name), text);
      expect(refusal(await save(name)), name).toEqual({
        status: 409,
        code: 'file_unavailable',
        field: 'file',
      });
      expect(readFileSync(file(name), 'utf8'), name).toBe(text);
    }
    for (const name of ['new.json', 'new', 'gwproj', 'guarded/plugins/b.so']) {
      const expected = { status: 400, code: 'invalid_argument', field: 'file' };
      expect(refusal(await save(name)), name).toEqual(expected);
      expect(existsSync(file(name)), name).toBe(false);
    }
    const saved = readFileSync(file('guarded.gwproj'), 'utf8');
    writeFileSync(file('other.json'), saved);
    for (const name of ['other.json', 'guarded.gwproj', 'brand-new.gwproj']) {
      expect((await save(name)).status, name).toBe(200);
    }
    await unload('guarded');
  });

  it('have names of their own', async () => {
    await load('twin');
    expect(refusal(await load('twin'))).toEqual({
      status: 409,
      code: 'already_exists',
      field: 'instance',
    });
    await load('other');
    for (const name of ['validate', 'import', 'files', 'a b', 'x'.repeat(65), '']) {
      expect(refusal(await load(name))).toEqual({
        status: 400,
        code: 'invalid_argument',
        field: 'instance',
      });
    }
    const nameless = coolantProject();
    delete nameless.id;
    write('nameless.gwproj', nameless);
    writeFileSync(file('busbar.bench.json'), '{}');
    expect(refusal(await post(path, { file: 'nameless.gwproj' }))).toMatchObject({
      status: 400,
      field: 'instance',
    });
    writeFileSync(file('busbar.bench.json'), JSON.stringify({ project_id: 'of-the-bench' }));
    expect((await post(path, { file: 'nameless.gwproj' })).json()).toMatchObject({
      instance: 'of-the-bench',
      project_id: 'of-the-bench',
    });
    for (const name of ['twin', 'other', 'of-the-bench']) await unload(name);
  });

  it('are at most sixteen, those included that are being loaded', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => load(`n${index}`)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(16);
    const refused = answers.filter(({ status }) => status !== 201).map((answer) => answer.json());
    expect(refused).toHaveLength(4);
    for (const { error } of refused) {
      expect(error).toMatchObject({ code: 'capacity_exceeded', details: { limit: 'instances' } });
    }
    const { gateways } = await get(path);
    expect(gateways).toHaveLength(16);
    for (const { instance } of gateways) await unload(instance);
  });

  itLong('give back what a failed load had reserved', async () => {
    write('broken.gwproj', { ...coolantProject(), signals: [] });
    for (let attempt = 0; attempt < 20; attempt++) {
      expect(refusal(await post(path, { file: 'broken.gwproj' }))).toMatchObject({
        status: 422,
        code: 'invalid_project',
      });
    }
    const answer = await load('broken');
    expect(answer.status, answer.text).toBe(201);
    const { memory_budget_bytes, daemon_memory_budget_bytes } = answer.json();
    expect(daemon_memory_budget_bytes).toBe(memory_budget_bytes);
    await unload('broken');
  });

  it('tell every problem of a project', async () => {
    write('broken.gwproj', { ...coolantProject(), signals: [], extra: 1 });
    const { error } = (await post(path, { file: 'broken.gwproj' })).json();
    expect(error.details.total).toBe(error.details.problems.length);
    expect(error.details.problems).toContainEqual(
      expect.objectContaining({
        table: 'bindings',
        row: 'coolant.rx',
        index: 0,
        field: 'signal',
        code: 'dangling_reference',
      }),
    );
    expect(error.details.problems).toContainEqual(
      expect.objectContaining({ table: null, row: null, field: 'extra', code: 'unknown_field' }),
    );
    const validate = (name: string) => post(`${path}/validate`, { file: name });
    expect((await validate('broken.gwproj')).json().error.details).toEqual(error.details);
    expect((await validate('coolant.gwproj')).json()).toMatchObject({
      valid: true,
      id: 'coolant',
      counts: { signals: 3, plugins: 0 },
    });
    expect(refusal(await validate('../outside.gwproj'))).toMatchObject({
      status: 403,
      field: 'file',
    });
  });

  it('refuse bodies and pages that are not as they should be', async () => {
    await load();
    const raw = (method: string, to: string, body: string) =>
      ask({ port, method, path: to, headers: { 'content-type': 'application/json' }, body }).then(
        refusal,
      );
    const bad = { status: 400, code: 'invalid_argument' };
    expect(await raw('POST', path, '{"file":"coolant.gwproj","extra":1}')).toMatchObject({
      ...bad,
      field: 'extra',
    });
    expect(await raw('POST', path, '{"file":"a","f\\u0069le":"b"}')).toMatchObject({
      ...bad,
      field: 'file',
    });
    expect(await raw('POST', path, '{"file":"a\\u0000b"}')).toMatchObject({
      ...bad,
      field: 'file',
    });
    expect(await raw('POST', path, '{"file":7}')).toMatchObject({ ...bad, field: 'file' });
    expect(await raw('PUT', `${path}/coolant/signals`, '{"signal":"pump"}')).toMatchObject({
      ...bad,
      field: 'value',
    });
    for (const query of [
      'offset=0',
      'limit=5',
      'instance=',
      'instance=coolant&limit=0',
      'instance=coolant&limit=101',
      'instance=coolant&offset=-1',
    ]) {
      expect(refusal(await ask({ port, path: `${path}?${query}` })), query).toMatchObject(bad);
    }
    for (const query of ['limit=0', 'limit=1001', 'offset=-1', 'offset=x']) {
      expect(
        refusal(await ask({ port, path: `${path}/coolant/signals?${query}` })),
        query,
      ).toMatchObject(bad);
    }
    await unload('coolant');
  });

  it('keep plugins below their own folder, wherever links lead', async () => {
    const project = settableProject();
    project.plugins = [
      { id: 'p', kind: 'processor', library: 'plugins/p.so', entry: 'run', inputs: ['pump'] },
    ];
    write('plugged.gwproj', project);
    mkdirSync(file('plugins'));
    const loaded = await post(path, { file: 'plugged.gwproj', instance: 'plugged' });
    expect(loaded.status, loaded.text).toBe(201);
    await unload('plugged');
    symlinkSync('../coolant.gwproj', file('plugins/p.so'));
    expect(refusal(await post(path, { file: 'plugged.gwproj' }))).toMatchObject({
      status: 403,
      code: 'path_outside_project',
    });
  });

  it('are driven by the command line alike', async () => {
    await bench.ask(['gateway', 'load', '--file=settable.gwproj', '--instance=cli']);
    const run = async (...args: string[]) => {
      const { stdout } = await bench.ask(['gateway', ...args, '--format=json']);
      return JSON.parse(stdout);
    };
    expect(await run('set', '--instance=cli', '--signal=pump', '--value=7')).toMatchObject({
      value: '7',
    });
    expect(await run('signals', '--instance=cli', '--offset=2')).toMatchObject({
      signals: [{ id: 'pump', value: '7' }],
    });
    expect(await run('status', '--instance=cli')).toMatchObject({
      instance: 'cli',
      tasks: [{ id: 'PumpCommand' }],
    });
    expect((await run('status')).gateways).toHaveLength(1);
    expect(await run('unload', '--instance=cli')).toMatchObject({ instance: 'cli' });
    expect(await bench.failure('gateway', 'signals', '--instance=cli')).toMatchObject({
      code: 'instance_not_found',
      exit: 1,
    });
  });
});
