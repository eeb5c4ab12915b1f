import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ask } from '../support/http.ts';
import { api, refusedByCli, refusedOverHttp } from './support/channel-bench.ts';
import { setUpSignalBench, shareSignalBench } from './support/signal-bench.ts';

const engine = `VERSION "7"
BU_: ECU Gateway
BO_ 256 Engine: 8 ECU
 SG_ Speed : 0|16@1+ (0.25,0) [0|16383.75] "rpm" Gateway
 SG_ Load : 16|8@1+ (1,0) [0|100] "%" Gateway
`;

describe('loading a database', () => {
  const bench = shareSignalBench(async (fresh) => {
    fresh.write('engine.dbc', engine);
    fresh.write('networks/Body.DBC', engine);
    mkdirSync(join(fresh.project, 'folder.dbc'));
    execFileSync('mkfifo', [join(fresh.project, 'pipe.dbc')]);
    const outside = join(fresh.project, '..', 'outside.dbc');
    writeFileSync(outside, engine);
    symlinkSync(outside, join(fresh.project, 'out.dbc'));
    symlinkSync('engine.dbc', join(fresh.project, 'alias.dbc'));
    symlinkSync('loop.dbc', join(fresh.project, 'loop.dbc'));
  });

  const unload = (name: string) =>
    ask({
      port: bench.port,
      method: 'DELETE',
      path: `${api}/databases/${encodeURIComponent(name)}`,
    });

  const record = {
    name: 'engine',
    type: 'dbc',
    file: 'engine.dbc',
    size_bytes: engine.length,
    encoding: 'utf-8',
    version: '7',
    messages: 1,
    j1939_messages: 0,
    signals: 2,
    nodes: 2,
    warnings: 0,
    errors: 0,
    loaded_at_us: expect.any(Number),
  };

  it('answers 201 with what is in it, and its final record when it is unloaded', async () => {
    const before = Date.now() * 1000;
    const answer = await bench.load({ file: 'engine.dbc' });
    expect(answer.status, answer.text).toBe(201);
    const loaded = answer.json();
    expect(loaded).toEqual(record);
    expect(Math.abs(loaded.loaded_at_us - before)).toBeLessThan(60_000_000);
    expect((await bench.get(`${api}/databases`)).json()).toEqual({ databases: [loaded] });

    const gone = await unload('engine');
    expect([gone.status, gone.json()]).toEqual([200, loaded]);
    for (const again of [await unload('engine'), await bench.get(`${api}/databases/engine`)]) {
      expect(refusedOverHttp(again)).toEqual({
        status: 404,
        code: 'database_not_found',
        details: { database: 'engine' },
      });
    }
    expect((await bench.get(`${api}/databases`)).json()).toEqual({ databases: [] });
  });

  it('does the same over the CLI, in the same store', async () => {
    const loaded = await bench.json('database', 'load', 'engine.dbc');
    expect(loaded).toEqual(record);
    expect((await bench.get(`${api}/databases`)).json()).toEqual({ databases: [loaded] });
    expect(await bench.json('database', 'list')).toEqual({ databases: [loaded] });
    expect(await bench.json('database', 'show', 'engine')).toEqual(
      (await bench.get(`${api}/databases/engine`)).json(),
    );
    expect(await bench.json('database', 'unload', 'engine')).toEqual(loaded);
    expect(refusedByCli(await bench.failure('database', 'unload', 'engine'))).toEqual({
      exit: 1,
      code: 'database_not_found',
      details: { database: 'engine' },
    });
  });

  it.each([
    [{ file: 'networks/Body.DBC' }, 'Body'],
    [{ file: './networks/../engine.dbc' }, 'engine'],
    [{ file: 'alias.dbc' }, 'alias'],
    [{ file: 'engine.dbc', name: 'own-name_1.x' }, 'own-name_1.x'],
    [{ file: 'engine.dbc', name: 'größe', type: 'dbc' }, 'größe'],
  ])('of %j is called %s', async (request, name) => {
    expect((await bench.load(request)).json()).toMatchObject({
      name,
      file: request.file,
      messages: 1,
    });
    expect((await unload(name)).status).toBe(200);
  });

  it('takes an absolute path that leads into the project', async () => {
    const file = join(bench.project, 'engine.dbc');
    expect((await bench.load({ file })).json()).toMatchObject({ name: 'engine', file });
    expect((await unload('engine')).status).toBe(200);
  });

  it('refuses a name that is taken, whatever the file, and keeps the first', async () => {
    await bench.load({ file: 'engine.dbc', name: 'taken' });
    for (const file of ['engine.dbc', 'missing.dbc']) {
      expect(refusedOverHttp(await bench.load({ file, name: 'taken' }))).toEqual({
        status: 409,
        code: 'already_exists',
        details: { field: 'name', name: 'taken', file: 'engine.dbc' },
      });
    }
    expect((await bench.get(`${api}/databases`)).json().databases).toHaveLength(1);
    expect((await unload('taken')).status).toBe(200);
  });

  it.each([
    ['missing.dbc', 404, 'file_not_found'],
    ['missing/engine.dbc', 404, 'file_not_found'],
    ['/etc/passwd', 403, 'path_outside_project'],
    ['../outside.dbc', 403, 'path_outside_project'],
    ['networks/../../outside.dbc', 403, 'path_outside_project'],
    ['out.dbc', 403, 'path_outside_project'],
    ['folder.dbc', 409, 'file_unavailable'],
    ['.', 409, 'file_unavailable'],
    ['pipe.dbc', 409, 'file_unavailable'],
    ['loop.dbc', 409, 'file_unavailable'],
    ['engine.dbc/x', 409, 'file_unavailable'],
  ])('refuses the file %s with %i %s, over both faces', async (file, status, code) => {
    const refused = refusedOverHttp(await bench.load({ file }));
    expect(refused).toMatchObject({ status, code, details: { field: 'file', path: file } });
    const { details } = refused;
    expect(refusedByCli(await bench.failure('database', 'load', file))).toEqual({
      exit: 1,
      code,
      details,
    });
    expect((await bench.get(`${api}/databases`)).json()).toEqual({ databases: [] });
  });

  it.each([
    ['{"file":"engine.dbc","nam":"x"}', 'nam', 'unknown_field'],
    ['{"file":"engine.dbc","file":"engine.dbc"}', 'file', 'duplicate_key'],
    ['{"file":"engine\\u0000.dbc"}', 'file', 'nul'],
    ['{"file":"engine.dbc","name":"a\\u0000"}', 'name', 'nul'],
    ['{"file":7}', 'file', 'type'],
    ['{"file":""}', 'file', 'minLength'],
    ['{"name":"x"}', 'file', 'missing'],
    ['{"file":"engine.dbc","name":"a/b"}', 'name', 'pattern'],
    ['{"file":"engine.dbc","name":"a b"}', 'name', 'pattern'],
    ['{"file":"engine.dbc","name":""}', 'name', 'minLength'],
    [`{"file":"engine.dbc","name":"${'n'.repeat(129)}"}`, 'name', 'maxLength'],
    ['{"file":"engine.dbc","type":"arxml"}', 'type', 'enum'],
  ])('refuses the request %s', async (body, field, reason) => {
    const answer = await ask({
      port: bench.port,
      method: 'POST',
      path: `${api}/databases`,
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(refusedOverHttp(answer)).toMatchObject({
      status: 400,
      code: 'invalid_argument',
      details: { field, reason },
    });
  });

  it.each([
    ['a text without statements', 'Dear colleague,\nplease find attached\n', { line: 1 }],
    ['nothing', '', { line: 1, column: 1 }],
    ['bytes', Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 0, 0, 1, 2), { line: 1, column: 5 }],
    ['a quote without end', `${engine}CM_ BO_ 256 "never closed;\n`, { line: 6, column: 13 }],
    ['a hundred mistakes', `${engine}${'CM_ zz;\n'.repeat(101)}`, { line: 106 }],
    ['a file that breaks off', `${engine}BO_ 257 Half`, { line: 6 }],
  ])('refuses %s with 422, line and column', async (_, content, place) => {
    bench.write('wrong.dbc', content);
    const refused = refusedOverHttp(await bench.load({ file: 'wrong.dbc' }));
    expect(refused).toEqual({
      status: 422,
      code: 'invalid_database',
      details: expect.objectContaining({
        column: expect.any(Number),
        reason: expect.any(String),
        ...place,
      }),
    });
    const { details } = refused;
    expect(refusedByCli(await bench.failure('database', 'load', 'wrong.dbc'))).toEqual({
      exit: 1,
      code: 'invalid_database',
      details,
    });
    expect((await bench.get(`${api}/databases`)).json()).toEqual({ databases: [] });
  });
});

describe('sixty-four databases', () => {
  it('are the most that can be loaded, until one is unloaded', async () => {
    const bench = await setUpSignalBench();
    bench.write('engine.dbc', engine);
    const names = Array.from({ length: 64 }, (_, index) => `db${index}`);
    const answers = await Promise.all(
      names.map((name) => bench.load({ file: 'engine.dbc', name })),
    );
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 201));
    const oneMore = { file: 'engine.dbc', name: 'more' };
    expect(refusedOverHttp(await bench.load(oneMore))).toEqual({
      status: 409,
      code: 'capacity_exceeded',
      details: { limit: 64 },
    });
    await bench.json('database', 'unload', 'db63');
    expect((await bench.load(oneMore)).status).toBe(201);
    const { databases } = (await bench.get(`${api}/databases`)).json();
    // Concurrent loads are listed in the order of completion.
    const listed = new Set(databases.map(({ name }: { name: string }) => name));
    expect(databases).toHaveLength(64);
    expect(listed).toEqual(new Set([...names.slice(0, 63), 'more']));
  });

  it('of the same name that come at once are one that is loaded', async () => {
    const bench = await setUpSignalBench();
    bench.write('engine.dbc', engine);
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => bench.load({ file: 'engine.dbc' })),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array(15).fill(409)]);
  });
});
