import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ask } from '../support/http.ts';
import { borrowWorkbench, setUpWorkbench, type Workbench } from '../support/workbench.ts';
import { sampleBench, writeBench } from './support/bench-files.ts';

const builtIn = {
  source: 'built-in',
  path: null,
  project_id: 'virtual-bench',
  devices: [{ driver: 'virtual', address: 'SIM00001', ports: {} }],
  networks: {},
  databases: {},
  ecus: {},
  recorders: {},
  firmware_index: null,
  dashboard: null,
};

const benchOverHttp = async (port: number) => {
  const answer = await ask({ port, path: '/api/v1/bench' });
  expect(answer.status).toBe(200);
  return answer.json();
};

const showIn = async (bench: Workbench, cwd: string, ...args: string[]) => {
  const { code, stdout, stderr } = await bench.run(['bench', 'show', '--format=json', ...args], {
    cwd,
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
};

describe('the bench of a daemon', () => {
  it('is the built-in virtual one where no file says otherwise', async () => {
    const bench = borrowWorkbench();
    const { port } = await bench.serve();
    expect(await benchOverHttp(port)).toEqual(builtIn);
    expect(await bench.json('bench', 'show')).toEqual(builtIn);
  });

  it('is the file in the directory that it was started in, spelt out', async () => {
    const bench = borrowWorkbench();
    const path = writeBench(bench.project, { ...sampleBench, firmware_index: 'releases.json' });
    const expected = {
      source: 'project',
      path,
      project_id: 'door-module',
      devices: sampleBench.devices,
      networks: {
        powertrain: { channel: 'SIM00001/0' },
        chassis: { channel: 'sim-0000-0001/1' },
        ghost: { channel: 'GONE0001/7' },
        spare: { channel: null },
        plc: { tcp: { host: 'plc.example', port: 502 } },
        meters: {
          serial: {
            port: '/dev/ttyS9',
            framing: 'ascii',
            baud_rate: 19_200,
            data_bits: 7,
            parity: 'even',
            stop_bits: 1,
          },
        },
      },
      firmware_index: 'releases.json',
      dashboard: null,
      databases: {},
      ecus: {},
      recorders: {},
    };
    const { port } = await bench.serve();
    expect(await benchOverHttp(port)).toEqual(expected);
    expect(await bench.json('bench', 'show')).toEqual(expected);
  });

  it('is read anew for every call, so that an edit counts at once', async () => {
    const bench = borrowWorkbench();
    await bench.serve();
    expect(await bench.json('bench', 'show')).toMatchObject({ source: 'built-in' });
    writeBench(bench.project, { project_id: 'first' });
    expect(await bench.json('bench', 'show')).toMatchObject({ project_id: 'first' });
    writeBench(bench.project, { project_id: 'second' });
    expect(await bench.json('bench', 'show')).toMatchObject({ project_id: 'second' });
  });

  it('is the global one in the configuration directory, unless the project has one', async () => {
    const bench = setUpWorkbench();
    const config = join(bench.home, '..', 'config');
    const path = writeBench(join(config, 'busbar'), { project_id: 'global-bench' });
    const started = await bench.run(['daemon', 'start'], { env: { XDG_CONFIG_HOME: config } });
    expect(started.code).toBe(0);
    const empty = {
      devices: [],
      networks: {},
      databases: {},
      ecus: {},
      recorders: {},
      firmware_index: null,
      dashboard: null,
    };
    const { port } = await bench.serve();
    expect(await benchOverHttp(port)).toEqual({
      source: 'global',
      path,
      project_id: 'global-bench',
      ...empty,
    });
    const own = writeBench(bench.project, { project_id: 'own' });
    expect(await bench.json('bench', 'show')).toEqual({
      source: 'project',
      path: own,
      project_id: 'own',
      ...empty,
    });
  });
});

describe('the bench of a caller', () => {
  it('is the one that --project names, for that call alone', async () => {
    const bench = borrowWorkbench();
    const own = writeBench(bench.project, { project_id: 'own' });
    const elsewhere = join(bench.project, 'elsewhere');
    const path = writeBench(elsewhere, { project_id: 'chosen' });
    const { port } = await bench.serve();
    expect(await bench.json('bench', 'show', `--project=${elsewhere}`)).toMatchObject({
      source: 'project',
      path,
      project_id: 'chosen',
    });
    expect(await bench.json('bench', 'show')).toMatchObject({ path: own, project_id: 'own' });
    expect(await bench.json('daemon', 'status')).toMatchObject({ project_root: bench.project });
    expect(await benchOverHttp(port)).toMatchObject({ path: own, project_id: 'own' });
  });

  it('is found from a relative --project, seen from where the caller stands', async () => {
    const bench = borrowWorkbench();
    const path = writeBench(join(bench.project, 'benches', 'door'), { project_id: 'door' });
    await bench.serve();
    const shown = await showIn(bench, join(bench.project, 'benches'), '--project=door');
    expect(shown).toMatchObject({ source: 'project', path });
  });

  it('is not the daemon’s where the chosen directory has no file', async () => {
    const bench = borrowWorkbench();
    writeBench(bench.project, { project_id: 'own' });
    const elsewhere = join(bench.project, 'elsewhere');
    mkdirSync(elsewhere);
    await bench.serve();
    expect(await bench.json('bench', 'show', `--project=${elsewhere}`)).toEqual(builtIn);
  });

  it('is the one in the working directory, if there is a file', async () => {
    const bench = borrowWorkbench();
    writeBench(bench.project, { project_id: 'own' });
    const withFile = join(bench.project, 'with');
    const without = join(bench.project, 'without');
    const path = writeBench(withFile, { project_id: 'here' });
    mkdirSync(without);
    await bench.serve();
    expect(await showIn(bench, withFile)).toMatchObject({ path, project_id: 'here' });
    expect(await showIn(bench, without)).toMatchObject({ project_id: 'own' });
  });

  it('must be a directory', async () => {
    const bench = borrowWorkbench();
    await bench.serve();
    const file = writeBench(join(bench.project, 'a'), {});
    for (const project of [file, join(bench.project, 'none')]) {
      const { exit, code, details } = await bench.failure('bench', 'show', `--project=${project}`);
      expect({ exit, code, field: details.field }).toEqual({
        exit: 2,
        code: 'invalid_argument',
        field: 'project',
      });
    }
  });
});
