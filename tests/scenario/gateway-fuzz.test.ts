import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isErrorCode } from '../../src/base/errors/table.ts';
import { cases } from '../../src/base/testing/long.ts';
import { fuzzed } from '../../src/gateway/project/testing/fuzz-bytes.ts';
import { goldenBytes, goldenNames } from '../../src/gateway/project/testing/golden-projects.ts';
import { randomOf } from '../../src/gateway/project/validate/testing/mutations.ts';
import { ask, askJson, type HttpAnswer } from '../support/http.ts';
import { Workbench } from '../support/workbench.ts';

const bench = new Workbench();
const path = '/api/v1/gateways';
const golden = join(import.meta.dirname, '../golden');
const file = (name: string): string => join(bench.project, name);
const bodies = cases(50, 500);
const files = cases(5, 30);
const max = 16;
let port = 0;

/** Valid requests. */
const requests: readonly (readonly [method: string, path: string, body: object])[] = [
  ['POST', path, { file: 'plant.gwproj', instance: 'fuzzed' }],
  ['POST', `${path}/validate`, { file: 'plant.gwproj' }],
  [
    'POST',
    `${path}/import`,
    {
      file: 'pump.dbc',
      output: 'out.gwproj',
      instance: 'pump',
      network: 'body',
      direction: 'tx',
      missing_cycle: 'periodic',
      default_period_ms: 100,
      stale_after_ms: 0,
    },
  ],
  ['PUT', `${path}/plant/signals`, { signal: 'demand', value: '1.5' }],
  ['POST', `${path}/plant/save`, { file: 'saved.gwproj' }],
];

const instances = async (): Promise<string[]> => {
  const { gateways } = (await ask({ port, path })).json();
  return gateways.map(({ instance }: { instance: string }) => instance);
};
const load = (name: string, instance: string): Promise<HttpAnswer> =>
  askJson({ port, path, json: { file: name, instance } });
const unload = (name: string): Promise<HttpAnswer> =>
  ask({ port, method: 'DELETE', path: `${path}/${name}` });

/** The error code of a response, which must be in the table; none for a success. */
const outcomeOf = ({ status, text, json }: HttpAnswer): string => {
  if (status < 300) return 'taken';
  const { code } = json().error;
  expect(isErrorCode(code), text).toBe(true);
  expect(status, text).toBeLessThan(500);
  return code;
};

beforeAll(async () => {
  ({ port } = await bench.startWeb());
  writeFileSync(file('plant.gwproj'), goldenBytes('valid', 'plant'));
  writeFileSync(file('pump.dbc'), readFileSync(join(golden, 'gwproj/pump.dbc')));
  expect((await load('plant.gwproj', 'plant')).status).toBe(201);
});
afterAll(() => bench.dispose());

describe('a daemon that is sent fuzzed requests and files', () => {
  it(`answers ${bodies} bodies with results or errors of its table`, async () => {
    const random = randomOf(18);
    const outcomes = new Map<string, number>();
    const written = new Set(['plant.gwproj', 'pump.dbc']);
    for (let round = 0; round < bodies; round += 1) {
      const [method, to, body] = requests[round % requests.length] as (typeof requests)[number];
      const donor = requests[random(requests.length)]?.[2];
      const text = fuzzed(
        Buffer.from(JSON.stringify(body)),
        Buffer.from(JSON.stringify(donor)),
        random,
      );
      const headers = { 'content-type': 'application/json' };
      const answer = await ask({ port, method, path: to, headers, body: text });
      const outcome = outcomeOf(answer);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      if (outcome !== 'taken') continue;
      const taken = JSON.parse(text.toString());
      if (to.endsWith('/import')) written.add(basename(taken.output));
      if (to.endsWith('/save')) written.add(basename(taken.file));
      if (to === path) await unload(answer.json().instance);
    }
    expect(outcomes.get('invalid_argument')).toBeGreaterThan(bodies / 4);
    expect(outcomes.get('taken')).toBeGreaterThan(0);
    expect(readdirSync(bench.project).filter((name) => !written.has(name))).toEqual([]);
    expect(await instances()).toEqual(['plant']);
  });

  it(`loads or refuses ${files} project files`, async () => {
    const random = randomOf(19);
    const names = goldenNames('valid');
    for (let round = 0; round < files; round += 1) {
      const [document, donor] = [0, 0].map(() =>
        goldenBytes('valid', names[random(names.length)] as string),
      ) as [Uint8Array, Uint8Array];
      writeFileSync(file('fuzzed.gwproj'), fuzzed(document, donor, random));
      const outcome = outcomeOf(await load('fuzzed.gwproj', 'fuzzed'));
      expect(['taken', 'invalid_project']).toContain(outcome);
      if (outcome === 'taken') expect((await unload('fuzzed')).status).toBe(200);
    }
  });

  it('has nothing of them left: no place, no name, no byte', async () => {
    await unload('plant');
    const answers: HttpAnswer[] = [];
    for (let place = 0; place < max; place += 1) {
      answers.push(await load('plant.gwproj', place === 0 ? 'fuzzed' : `n${place}`));
    }
    expect(answers.map(({ status }) => status)).toEqual(Array(max).fill(201));
    const budgets = answers.map((answer) => answer.json());
    expect(budgets[max - 1].daemon_memory_budget_bytes).toBe(max * budgets[0].memory_budget_bytes);
  });
});
