import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { borrowWorkbench, setUpWorkbench, type Workbench } from '../support/workbench.ts';

/** Reads CSV after RFC 4180; null is an empty cell without quotes. */
const readCsv = (text: string): (string | null)[][] => {
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n)/gy;
  const rows: (string | null)[][] = [];
  let row: (string | null)[] = [];
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex;
    const match = cell.exec(text);
    if (!match) throw new Error(`not CSV at ${JSON.stringify(text.slice(at, at + 60))}`);
    const [, quoted, plain, end] = match;
    row.push(quoted === undefined ? plain || null : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
};

/** Every value of a response with its path; null stays null. */
const leavesOf = (value: unknown, path = ''): (string | null)[][] => {
  if (typeof value !== 'object' || value === null) {
    return [[path, value === null ? null : String(value)]];
  }
  const inner = Object.entries(value);
  if (inner.length === 0) return [[path, Array.isArray(value) ? '[]' : '{}']];
  return inner.flatMap(([key, child]) => {
    if (Array.isArray(value)) return leavesOf(child, `${path}[${key}]`);
    return leavesOf(child, path === '' ? key : `${path}.${key}`);
  });
};

/** The same response in two formats, as data. */
const inBoth = async (bench: Workbench, ...words: string[]) => {
  const csv = await bench.ask([...words, '--format=csv']);
  expect([csv.code, csv.stderr]).toEqual([0, '']);
  return { csv: csv.stdout, json: await bench.json(...words) };
};

describe('the answer of web status', () => {
  it('is readable text by default', async () => {
    const bench = borrowWorkbench();
    const { listen } = await bench.serve();
    const { code, stdout, stderr } = await bench.run(['web', 'status']);
    expect([code, stderr]).toEqual([0, '']);
    const lines = stdout.split('\n');
    expect(lines[0]).toMatch(/^state +running$/);
    expect(lines).toContainEqual(
      expect.stringMatching(new RegExp(`^effective listen +${listen}$`)),
    );
    expect(lines).toContainEqual(expect.stringMatching(/^started at +\d{4}-\d\d-\d\dT[\d:.]+Z$/));
    expect((await bench.ask(['web', 'status', '--format=text'])).stdout).toBe(stdout);
  });

  it('is one object as json, and on one line as jsonl', async () => {
    const bench = borrowWorkbench();
    await bench.serve();
    const json = await bench.ask(['web', 'status', '--format=json']);
    const jsonl = await bench.ask(['web', 'status', '--format=jsonl']);
    expect(JSON.parse(jsonl.stdout)).toEqual(JSON.parse(json.stdout));
    expect(jsonl.stdout.trimEnd().split('\n')).toHaveLength(1);
    for (const { code, stderr, stdout } of [json, jsonl]) {
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout.endsWith('}\n')).toBe(true);
    }
  });

  it('is two columns as csv, with odd values quoted and null left empty', async () => {
    const bench = setUpWorkbench();
    const odd = join(bench.project, 'a "log", with\nall of it.csv');
    const { listen } = await bench.startWeb(`--log-file=${odd}`);
    const { csv, json } = await inBoth(bench, 'web', 'status');
    expect(readCsv(csv)).toEqual([['path', 'value'], ...leavesOf(json)]);
    expect(csv).toMatch(/^path,value\r?\nstate,running\r?\n/);
    expect(csv).toContain(`\nlisten,${listen}`);
    expect(csv).toContain(`\nlog_destination,"${odd.replaceAll('"', '""')}"`);

    const stopped = await bench.ask(['web', 'stop', '--format=csv']);
    expect(stopped.stdout).toMatch(/^effective_listen,\r?$/m);
    expect(readCsv(stopped.stdout)).toContainEqual(['log_destination', odd]);
  });
});

describe('the answer of operation list', () => {
  it('is a table as text', async () => {
    const bench = borrowWorkbench();
    await bench.serve();
    const { operations } = await bench.json<{ operations: { id: string }[] }>('operation', 'list');
    const { stdout } = await bench.ask(['operation', 'list']);
    const [head, ...rows] = stdout.trimEnd().split('\n');
    expect(head?.split(/ {2,}/)).toEqual([
      'id',
      'permission',
      'http method',
      'http path',
      'summary',
    ]);
    expect(rows.map((row) => row.split(' ')[0])).toEqual(operations.map(({ id }) => id));
    expect(rows).toContainEqual(
      expect.stringMatching(
        /^operation\.show +observe +GET +\/api\/v1\/operations\/\{operation_id\} /,
      ),
    );
  });

  it('is every value by its path as csv', async () => {
    const bench = borrowWorkbench();
    await bench.serve();
    const { csv, json } = await inBoth(bench, 'operation', 'list');
    expect(readCsv(csv)).toEqual([['path', 'value'], ...leavesOf(json)]);
    const rows = new Map(readCsv(csv).map(([path, value]) => [path, value]));
    expect(rows.get('operations[0].id')).toBe('help');
    expect(rows.get('operations[0].action')).toBe('');
    expect(rows.get('operations[0].execution.streaming')).toBe('false');
    expect(rows.get('operations[0].http.method')).toBeNull();
  });

  it('is one line as jsonl', async () => {
    const bench = borrowWorkbench();
    await bench.serve();
    const { stdout } = await bench.ask(['operation', 'list', '--format=jsonl']);
    expect(stdout.indexOf('\n')).toBe(stdout.length - 1);
    expect(JSON.parse(stdout)).toEqual(await bench.json('operation', 'list'));
  });
});
