import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { FileSandbox } from '../../base/files/testing/file-sandbox.ts';
import { ConfinedFiles, type ProjectFiles } from '../files/project-files.ts';
import { tableNames } from '../project/table-names.ts';
import { coolantProject } from '../project/testing/coolant-project.ts';
import { type ImportArguments, importProject } from './import-project.ts';
import { messageText, refusalOf } from './testing/import-text.ts';

const line = ' SG_ S : 0|8@1+ (1,0) [0|0] "" B\n';
const golden = join(import.meta.dirname, '../../../tests/golden/gwproj');
const noRows = Object.fromEntries(tableNames.map((name) => [name, 0]));

let sandbox: FileSandbox;
let files: ProjectFiles;

beforeEach(() => {
  sandbox = new FileSandbox();
  files = new ConfinedFiles(sandbox.project);
  writeFileSync(at('pump.dbc'), readFileSync(join(golden, 'pump.dbc')));
  writeFileSync(at('m.dbc'), messageText(line));
  writeFileSync(at('coolant.gwproj'), JSON.stringify(coolantProject()));
});

afterEach(() => {
  sandbox.dispose();
});

const at = (name: string): string => join(sandbox.project, name);
const textOf = (name: string): string => readFileSync(at(name), 'utf8');

const given = (more: Partial<ImportArguments> = {}): ImportArguments => ({
  file: 'm.dbc',
  output: 'out.gwproj',
  overwrite: true,
  network: 'net',
  direction: 'rx',
  ...more,
});

/** Files on a full disk. */
const full: ProjectFiles = {
  open: (path, field) => files.open(path, field),
  follow: (path, field) => files.follow(path, field),
  openDirectoryOf: (path, field) => files.openDirectoryOf(path, field),
  replace: () => {
    throw new BusbarError('file_unavailable', { details: { reason: 'no_space' } });
  },
};

/** Expects an import to be rejected without any change of files. */
const refused = (more: Partial<ImportArguments>, through: ProjectFiles = files) => {
  const names = readdirSync(sandbox.project).sort();
  const texts = names.map(textOf);
  const refusal = refusalOf(() => importProject(through, given(more)));
  expect(readdirSync(sandbox.project).sort()).toEqual(names);
  expect(names.map(textOf)).toEqual(texts);
  return refusal;
};

describe('importProject', () => {
  it('keeps what plugins of the project it is merged with are told, to the digit', () => {
    const project = coolantProject();
    project.plugins = [
      { id: 'p', kind: 'codec', library: 'plugins/p.so', entry: 'p', context: 'CONTEXT' },
    ];
    const context = '{"b":9007199254740993,"10":2.0,"2":3}';
    writeFileSync(at('p.gwproj'), JSON.stringify(project).replace('"CONTEXT"', context));
    importProject(files, given({ merge: 'p.gwproj', stale_after_ms: 0 }));
    expect(textOf('out.gwproj').replace(/\s/g, '')).toContain(`"context":${context}`);
  });

  it('writes a new project and tells what is in it', () => {
    const answer = importProject(
      files,
      given({ file: 'pump.dbc', network: 'body', stale_after_ms: 0 }),
    );
    expect(textOf('out.gwproj')).toBe(readFileSync(join(golden, 'pump.rx.gwproj'), 'utf8'));
    const counts = { endpoints: 1, signals: 10, codecs: 10, messages: 3, bindings: 10 };
    expect(answer).toEqual({
      output: 'out.gwproj',
      id: null,
      counts: { ...noRows, ...counts },
      added: { ...noRows, ...counts },
      defaults: expect.any(Array),
      defaults_total: 4,
      omitted: [],
      omitted_total: 0,
      warnings: [],
      warnings_total: 0,
    });
    expect(answer.defaults).toContainEqual({
      message: 'body.Pump_Status',
      field: 'stale_after_ms',
      value: 300,
      rule: 'Three periods of 100 ms',
    });
  });

  it('adds to a project in its own file', () => {
    const own = { merge: 'coolant.gwproj', output: 'coolant.gwproj' };
    const answer = importProject(files, given({ ...own, network: 'body' }));
    expect(answer).toMatchObject({
      id: 'coolant',
      counts: { endpoints: 3, signals: 4, mappings: 1 },
      added: { endpoints: 1, signals: 1, mappings: 0 },
    });
    const merged = JSON.parse(textOf('coolant.gwproj'));
    expect(merged.mappings).toEqual(coolantProject().mappings);
    expect(merged.provenance).toHaveLength(1);
    const again = importProject(files, given({ ...own, network: 'chassis', direction: 'tx' }));
    expect(again).toMatchObject({ counts: { endpoints: 4, tx_tasks: 2 }, added: { tx_tasks: 1 } });
  });

  it('gives the project the id of the instance, and leaves the id that a merge finds', () => {
    expect(importProject(files, given({ instance: 'rig.1' })).id).toBe('rig.1');
    expect(JSON.parse(textOf('out.gwproj')).id).toBe('rig.1');
    const merge = { merge: 'coolant.gwproj', instance: 'coolant', network: 'body' };
    expect(importProject(files, given(merge)).id).toBe('coolant');
    expect(refused({ ...merge, instance: 'other' })).toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('coolant'),
      details: { field: 'instance' },
    });
    importProject(files, given({ output: 'nameless.gwproj' }));
    const named = { merge: 'nameless.gwproj', instance: 'late', network: 'body' };
    expect(importProject(files, given(named)).id).toBe('late');
  });

  it.each(['', 'a b', 'x'.repeat(65), 'validate', 'import', 'files'])(
    'refuses the instance %j',
    (name) => {
      expect(refused({ instance: name })).toMatchObject({
        code: 'invalid_argument',
        details: { field: 'instance' },
      });
    },
  );

  it('warns of messages without signals that would only be sent on change', () => {
    writeFileSync(at('empty.dbc'), 'BO_ 1 Empty: 0 A\n');
    const sent = { file: 'empty.dbc', direction: 'tx', network: 'body' } as const;
    const rarely = importProject(files, given({ ...sent, missing_cycle: 'on_change' }));
    expect(rarely).toMatchObject({
      warnings: [{ table: 'tx_tasks', row: 'body.Empty', field: 'policy', code: 'never_sent' }],
      warnings_total: 1,
    });
    const period = { missing_cycle: 'periodic', default_period_ms: 100 } as const;
    expect(importProject(files, given({ ...sent, ...period })).warnings_total).toBe(0);
  });

  it('shows 200 defaults and counts the rest', () => {
    const messages = Array.from({ length: 250 }, (_, id) => `BO_ ${id} M${id}: 8 A\n${line}`);
    writeFileSync(at('many.dbc'), messages.join(''));
    const answer = importProject(files, given({ file: 'many.dbc', stale_after_ms: 5 }));
    expect(answer.defaults).toHaveLength(200);
    expect(answer.defaults_total).toBe(250);
    expect(JSON.parse(textOf('out.gwproj')).provenance[0].defaults).toHaveLength(250);
  });

  it('refuses in the name of the argument at fault, and leaves every file as it was', () => {
    writeFileSync(at('broken.gwproj'), '{"format":"gwproj"');
    mkdirSync(join(sandbox.outside, 'there'));
    expect(refused({ file: 'no.dbc' })).toMatchObject({
      code: 'file_not_found',
      details: { field: 'file' },
    });
    expect(refused({ merge: 'no.gwproj' })).toMatchObject({
      code: 'file_not_found',
      details: { field: 'merge' },
    });
    expect(refused({ merge: 'broken.gwproj', output: 'broken.gwproj' })).toMatchObject({
      code: 'invalid_project',
      details: { file: 'broken.gwproj', problems: [{ code: 'invalid_json' }] },
    });
    for (const field of ['file', 'merge', 'output'] as const) {
      const path = '../outside/there/x';
      expect(refused({ [field]: path })).toMatchObject({ code: 'path_outside_project' });
    }
    expect(refused({ output: 'missing/out.gwproj' })).toMatchObject({
      code: 'file_not_found',
      details: { field: 'output' },
    });
    expect(refused({ file: 'pump.dbc', direction: 'tx' })).toMatchObject({ code: 'missing_cycle' });
    expect(existsSync(join(sandbox.outside, 'there/x'))).toBe(false);
  });

  it('does not write over the DBC file, by whatever path', () => {
    sandbox.link('project/link', 'm.dbc');
    for (const output of ['m.dbc', './m.dbc', 'link']) {
      expect(refused({ output })).toMatchObject({
        code: 'invalid_argument',
        details: { field: 'output' },
      });
    }
  });

  it('refuses a merge that is not valid as a whole', () => {
    importProject(files, given());
    expect(refused({ merge: 'out.gwproj', output: 'out.gwproj' })).toMatchObject({
      code: 'invalid_project',
      details: { field: 'merge', total: 4 },
    });
  });

  it('refuses files that are too large before it reads them', () => {
    const huge = (path: string, size: number): ProjectFiles => ({
      ...full,
      open: (name, field) =>
        name === path ? { ...files.open(name, field), size } : files.open(name, field),
    });
    const merge = { merge: 'coolant.gwproj', output: 'coolant.gwproj' };
    expect(refused(merge, huge('coolant.gwproj', 2 ** 27 + 1))).toMatchObject({
      code: 'capacity_exceeded',
      details: { field: 'merge', limit: 'file_bytes' },
    });
    expect(refused({}, huge('m.dbc', 2 ** 23 + 1))).toMatchObject({
      code: 'invalid_database',
      details: { field: 'file', maximum: 2 ** 23 },
    });
  });

  it('keeps the original where the disk is full', () => {
    const merge = { merge: 'coolant.gwproj', output: 'coolant.gwproj' };
    expect(refused(merge, full)).toMatchObject({ code: 'file_unavailable' });
  });

  it('refuses a file of which a part is doubtful, with its place', () => {
    writeFileSync(
      at('doubtful.dbc'),
      `BO_ 1 M: 8 A
 SG_ A M : 0|4@1+ (1,0) [0|0] "" B
 SG_ B M : 4|4@1+ (1,0) [0|0] "" B
 SG_ C m1 : 8|8@1+ (1,0) [0|0] "" B
`,
    );
    const refusal = refused({ file: 'doubtful.dbc', stale_after_ms: 0 });
    expect(refusal).toMatchObject({
      code: 'invalid_database',
      details: { field: 'file', line: 4, total: 1 },
    });
    expect(refusal.message).toContain('signal C');
  });

  it('keeps rows that came into the project while it was merged with', () => {
    importProject(files, given({ stale_after_ms: 0 }));
    let isFirst = true;
    const raced: ProjectFiles = {
      ...full,
      replace: (path, pieces, options) => {
        if (isFirst) {
          isFirst = false;
          const other = { merge: 'out.gwproj', network: 'faster', stale_after_ms: 0 };
          importProject(files, given(other));
        }
        return files.replace(path, pieces, options);
      },
    };
    const slower = given({ merge: 'out.gwproj', network: 'slower', stale_after_ms: 0 });
    expect(refusalOf(() => importProject(raced, slower))).toMatchObject({
      code: 'busy',
      retryable: true,
      details: { field: 'output' },
    });
    const networks = () =>
      JSON.parse(textOf('out.gwproj')).endpoints.map(({ network }: { network: string }) => network);
    expect(networks()).toEqual(['net', 'faster']);
    importProject(raced, slower);
    expect(networks()).toEqual(['net', 'faster', 'slower']);
  });
});
