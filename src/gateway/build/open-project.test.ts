import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileSandbox } from '../../base/files/testing/file-sandbox.ts';
import { LocalFiles } from '../files/local-files.ts';
import { ConfinedFiles, type ProjectFiles } from '../files/project-files.ts';
import { coolantProject } from '../project/testing/coolant-project.ts';
import { validateProjectFile } from './open-project.ts';

let sandbox: FileSandbox;

beforeEach(() => {
  sandbox = new FileSandbox();
  mkdirSync(at('plugins/deep'), { recursive: true });
  writeFileSync(at('beside.so'), '');
  writeFileSync(at('plugins/deep/real.so'), '');
  const project = coolantProject();
  project.plugins = [{ id: 'p', kind: 'codec', library: 'plugins/p.so', entry: 'p' }];
  writeFileSync(at('a.gwproj'), JSON.stringify(project));
});

afterEach(() => sandbox.dispose());

const at = (name: string): string => join(sandbox.project, name);

describe.each<[string, () => ProjectFiles, () => string]>([
  ['a command', () => new LocalFiles(), () => at('a.gwproj')],
  ['the daemon', () => new ConfinedFiles(sandbox.project), () => 'a.gwproj'],
])('validateProjectFile with the files of %s', (_, files, file) => {
  const validate = () => validateProjectFile(files(), file());

  it('warns of tasks on change whose message has no signals', async () => {
    const project = coolantProject();
    project.messages.push(
      ...['Plain', 'Beat'].map((id, index) => ({
        ...{ id, endpoint: 'powertrain', direction: 'tx', can_id: 700 + index, length: 8 },
      })),
    );
    project.tx_tasks[0].policy = 'on_change';
    project.tx_tasks.push({ id: 'Plain', message: 'Plain', policy: 'on_change' });
    project.tx_tasks.push({ id: 'Beat', message: 'Beat', period_ms: 100 });
    writeFileSync(at('a.gwproj'), JSON.stringify(project));
    expect(await validate()).toMatchObject({
      valid: true,
      warnings: [{ table: 'tx_tasks', row: 'Plain', index: 1, code: 'never_sent' }],
      warnings_total: 1,
    });
  });

  it.each([
    ['a file outside of the project', '/etc/hostname'],
    ['nothing, outside of the project', '/nowhere/out.so'],
    ['a file beside the folder', '../beside.so'],
    ['nothing, beside the folder', '../nothing.so'],
  ])('refuses a library that is a link to %s', async (_, target) => {
    symlinkSync(target, at('plugins/p.so'));
    await expect(validate()).rejects.toMatchObject({
      code: 'path_outside_project',
      message: expect.stringContaining('plugins/p/library'),
      details: { table: 'plugins', row: 'p', field: 'library', path: 'plugins/p.so' },
    });
  });

  it.each(['deep/real.so', 'deep/nothing.so'])('takes a link to %s in it', async (target) => {
    symlinkSync(target, at('plugins/p.so'));
    expect(await validate()).toMatchObject({ valid: true });
  });

  it('takes a project that travels without its libraries', async () => {
    expect(await validate()).toMatchObject({ valid: true });
  });
});
