import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settableProject } from '../../src/gateway/project/testing/coolant-project.ts';
import type { SimulationRecord } from '../../src/gateway/simulation/simulation-record.ts';
import { ask } from '../support/http.ts';
import { eventually, Workbench } from '../support/workbench.ts';

const bench = new Workbench();
let port = 0;

const write = (name: string, document: unknown): void =>
  writeFileSync(join(bench.project, name), JSON.stringify(document));
const manifest = (name: string, ids: readonly number[], channel = 'SIM00001/0') => ({
  manifest: 1,
  name,
  channel,
  messages: ids.map((id) => ({ id, extended: false, data: 'CAFE', period_ms: 10 })),
});
const simulation = (...args: string[]) => bench.json<SimulationRecord>('simulation', ...args);
const refused = async (...args: string[]) => {
  const { code, details } = await bench.failure(...args);
  return { code, field: details.field };
};
const listed = async (): Promise<string[]> => {
  const { simulations } = await bench.json<{ simulations: SimulationRecord[] }>(
    'simulation',
    'list',
  );
  return simulations.map(({ name }) => name);
};
const gateways = async (): Promise<{ instance: string }[]> =>
  (await ask({ port, path: '/api/v1/gateways' })).json().gateways;

beforeAll(async () => {
  ({ port } = await bench.startWeb());
  for (const place of [0, 1]) await bench.json('channel', 'open', `SIM00001/${place}`);
  write('restbus.json', manifest('restbus', [0x100, 0x101]));
  write('rival.json', manifest('rival', [0x200, 0x101], '0'));
  write('coolant.gwproj', settableProject());
  mkdirSync(join(bench.project, 'inner'));
});
afterAll(() => bench.dispose());

describe('simulations of manifests', () => {
  it('are loaded, started, shown, stopped and unloaded by position', async () => {
    expect(await simulation('load', 'restbus.json')).toMatchObject({
      name: 'restbus',
      file: 'restbus.json',
      channel: 'SIM00001/0',
      state: 'loaded',
      message_total: 2,
      memory_budget_bytes: expect.any(Number),
    });
    expect(await simulation('start', 'restbus')).toMatchObject({
      state: 'running',
      resolved: 'SIM00001/0',
    });
    await eventually(async () => (await simulation('status', 'restbus')).sent > 4);
    const history = await ask({ port, path: '/api/v1/messages/history?channel=SIM00001/1' });
    const received = new Set(history.json().events.map(({ id }: { id: number }) => id));
    expect(received).toEqual(new Set([0x100, 0x101]));
    expect(await refused('simulation', 'start', 'restbus')).toEqual({
      code: 'instance_running',
      field: 'name',
    });
    expect(await refused('simulation', 'unload', 'restbus')).toMatchObject({
      code: 'instance_running',
    });
    const stopped = await simulation('stop', 'restbus');
    expect(stopped).toMatchObject({ state: 'stopped', error: null });
    expect(await simulation('status', 'restbus')).toEqual(stopped);
    expect(await simulation('status', 'restbus', '--offset=1', '--limit=64')).toMatchObject({
      message_offset: 1,
      message_next_offset: 2,
      messages: [{ id: 0x101, data: 'CAFE', period_ms: 10 }],
    });
    expect(await simulation('unload', 'restbus')).toMatchObject({ name: 'restbus' });
    expect(await refused('simulation', 'status', 'restbus')).toEqual({
      code: 'instance_not_found',
      field: 'name',
    });
  });

  it('do not drive a message that another one drives', async () => {
    await simulation('load', 'restbus.json');
    await simulation('load', 'rival.json');
    await simulation('start', 'restbus');
    const { code, details } = await bench.failure('simulation', 'start', 'rival');
    expect(code).toBe('output_conflict');
    expect(details.conflicts).toEqual([
      {
        task: 'messages[1]',
        owner: { instance: 'restbus', task: 'messages[1]' },
        channel: 'SIM00001/0',
        can_id: 0x101,
        extended: false,
      },
    ]);
    await simulation('stop', 'restbus');
    await simulation('start', 'rival');
    await bench.json('channel', 'close', 'SIM00001/0');
    expect(await simulation('status', 'rival')).toMatchObject({
      state: 'stopped',
      error: { code: 'channel_not_open' },
    });
    expect((await bench.failure('simulation', 'start', 'rival')).code).toBe('channel_not_open');
    await bench.json('channel', 'open', 'SIM00001/0');
    for (const name of ['restbus', 'rival']) await simulation('unload', name);
  });

  it('tell every problem of a manifest, and leave nothing behind', async () => {
    write('broken.json', { ...manifest('broken', [0x800]), extra: 1 });
    const { code, details } = await bench.failure('simulation', 'load', 'broken.json');
    expect(code).toBe('invalid_project');
    expect(details.problems).toMatchObject([
      { table: null, field: 'extra', code: 'unknown_field' },
      { table: 'messages', index: 0, field: 'id', code: 'out_of_range' },
    ]);
    expect(await refused('simulation', 'load', 'none.json')).toEqual({
      code: 'file_not_found',
      field: 'manifest',
    });
    expect(await listed()).toEqual([]);
    expect(await gateways()).toEqual([]);
  });
});

describe('simulation and gateway', () => {
  it('are two entry points to the instances of projects', async () => {
    const loaded = await bench.json('simulation', 'load', '--file=coolant.gwproj', '--instance=a');
    expect(await bench.json('gateway', 'status', '--instance=a')).toEqual(loaded);
    const set = ['set', '--instance=a', '--signal=pump', '--value=7'];
    expect(await bench.json('simulation', ...set)).toMatchObject({ id: 'pump', value: '7' });
    const signals = ['signals', '--instance=a', '--offset=2'];
    expect(await bench.json('simulation', ...signals)).toEqual(
      await bench.json('gateway', ...signals),
    );
    expect(await bench.json('simulation', 'status', '--instance=a', '--limit=100')).toEqual(loaded);
    await bench.json('simulation', 'save', '--instance=a', '--file=inner/copy.gwproj');
    const copy = readFileSync(join(bench.project, 'inner/copy.gwproj'), 'utf8');
    expect(JSON.parse(copy)).toEqual(settableProject());
    expect(await bench.json('simulation', 'unload', '--instance=a')).toMatchObject({
      instance: 'a',
    });
    expect(await bench.json('simulation', 'load', '--file=coolant.gwproj')).toMatchObject({
      instance: 'coolant',
    });
    await bench.json('gateway', 'unload', '--instance=coolant');
  });

  it('share names, and neither finds what belongs to the other form', async () => {
    await simulation('load', 'restbus.json');
    await bench.json('gateway', 'load', '--file=coolant.gwproj');
    expect(await refused('gateway', 'load', '--file=coolant.gwproj', '--instance=restbus')).toEqual(
      { code: 'already_exists', field: 'instance' },
    );
    write('namesake.json', manifest('coolant', [1]));
    expect(await refused('simulation', 'load', 'namesake.json')).toEqual({
      code: 'already_exists',
      field: 'name',
    });
    expect(await listed()).toEqual(['restbus']);
    expect(await bench.json('simulation', 'status')).toEqual(
      await bench.json('simulation', 'list'),
    );
    expect((await gateways()).map(({ instance }) => instance)).toEqual(['coolant']);
    for (const args of [
      ['gateway', 'status', '--instance=restbus'],
      ['gateway', 'unload', '--instance=restbus'],
      ['simulation', 'status', '--instance=restbus'],
      ['simulation', 'status', 'coolant'],
      ['simulation', 'start', 'coolant'],
      ['simulation', 'unload', 'coolant'],
    ]) {
      expect(await refused(...args), args.join(' ')).toMatchObject({ code: 'instance_not_found' });
    }
    await simulation('unload', 'restbus');
    await bench.json('gateway', 'unload', '--instance=coolant');
  });

  it('take no manifest for a project, nor a project for a manifest', async () => {
    for (const args of [
      ['gateway', 'load', '--file=restbus.json'],
      ['simulation', 'load', '--file=restbus.json'],
      ['simulation', 'load', 'restbus.json', '--instance=restbus'],
      ['simulation', 'load', 'coolant.gwproj'],
    ]) {
      expect(await refused(...args), args.join(' ')).toMatchObject({ code: 'invalid_project' });
    }
    expect(await listed()).toEqual([]);
    expect(await gateways()).toEqual([]);
  });

  it('refuse what could mean either, or nothing', async () => {
    for (const [field, ...args] of [
      ['file', 'load', 'restbus.json', '--file=coolant.gwproj'],
      ['manifest', 'load'],
      ['instance', 'status', 'restbus', '--instance=coolant'],
      ['offset', 'status', '--offset=1'],
      ['limit', 'status', 'restbus', '--limit=65'],
      ['limit', 'status', '--instance=coolant', '--limit=101'],
      ['instance', 'unload', 'restbus', '--instance=coolant'],
      ['name', 'unload'],
    ] as const) {
      expect(await refused('simulation', ...args), args.join(' ')).toEqual({
        code: 'invalid_argument',
        field,
      });
    }
  });
});
