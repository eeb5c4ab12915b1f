import { dirname, join } from 'node:path';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { ConfinedFiles, type ProjectFiles } from '../files/project-files.ts';
import { fileTooLarge, instanceLimits } from '../instances/budget.ts';
import { loadProject } from '../project/load-project.ts';
import { countTables, type Project } from '../project/project.ts';
import { warningsOf } from '../project/warnings.ts';
import { readManifest, type SimulationManifest } from '../simulation/manifest.ts';
import type { GatewayValidation } from './validation-record.ts';

type OnSize = (bytes: number) => void;

const folder = 'plugins';

const leadsOutside = (thrown: unknown): boolean =>
  BusbarError.from(thrown).code === 'path_outside_project';

/**
 * Requires shared libraries to be below `plugins` next to the project, after following links. A
 * missing library is reported when an instance starts, because a project can be copied without
 * its libraries.
 */
const checkPlugins = (files: ProjectFiles, file: string, { plugins }: Project): void => {
  for (const { id, library } of plugins) {
    try {
      const allowed = files.follow(join(dirname(file), folder), 'library');
      if (allowed === undefined) continue;
      new ConfinedFiles(allowed).follow(library.slice(folder.length + 1), 'library');
    } catch (thrown) {
      if (!leadsOutside(thrown)) throw thrown;
      throw new BusbarError('path_outside_project', {
        message: `plugins/${id}/library: ${library} is outside ${folder}/`,
        details: { table: 'plugins', row: id, field: 'library', path: library },
        cause: thrown,
      });
    }
  }
};

const readFile = async (
  files: ProjectFiles,
  file: string,
  field: string,
  onSize?: OnSize,
): Promise<Uint8Array> => {
  const opened = files.open(file, field);
  try {
    if (opened.size > instanceLimits.fileBytes) throw fileTooLarge(opened.size, field);
    onSize?.(opened.size);
    return opened.read();
  } finally {
    opened.close();
  }
};

export const openManifest = async (
  files: ProjectFiles,
  file: string,
  onSize: OnSize,
): Promise<SimulationManifest> =>
  readManifest(await readFile(files, file, 'manifest', onSize), file);

export const openProject = async (
  files: ProjectFiles,
  file: string,
  onSize?: OnSize,
): Promise<Project> => {
  const project = loadProject(await readFile(files, file, 'file', onSize), file);
  checkPlugins(files, file, project);
  return project;
};

export const validateProjectFile = async (
  files: ProjectFiles,
  file: string,
): Promise<GatewayValidation> => {
  const project = await openProject(files, file);
  const id = project.header.id ?? null;
  return { valid: true, id, counts: countTables(project), ...warningsOf(project) };
};
