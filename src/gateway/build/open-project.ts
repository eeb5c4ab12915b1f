import { dirname, join, sep } from 'node:path';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { ProjectFiles } from '../files/project-files.ts';
import { fileTooLarge, instanceLimits } from '../instances/budget.ts';
import { loadProject } from '../project/load-project.ts';
import { countTables, type Project } from '../project/project.ts';
import type { SimulationManifest } from '../simulation/manifest.ts';
import { readManifest } from '../simulation/read-manifest.ts';
import type { GatewayValidation } from './validation-record.ts';

/** Told how large a file is before it is read. */
export type OnSize = (bytes: number) => void | Promise<void>;

/**
 * Shared libraries must lie below `plugins`, beside the project, wherever links lead. One that is
 * missing is found out when an instance is started: a project may travel without them.
 */
const checkPlugins = (files: ProjectFiles, file: string, { plugins }: Project): void => {
  if (plugins.length === 0) return;
  const folder = join(dirname(file), 'plugins');
  const allowed = files.follow(folder, 'file');
  for (const { id, library } of plugins) {
    const path = join(dirname(file), library);
    const found = files.follow(path, 'file');
    if (found === undefined || (allowed !== undefined && found.startsWith(allowed + sep))) continue;
    throw new BusbarError('path_outside_project', {
      message: `The library of ${id} leads outside of ${folder}`,
      details: { field: 'file', path, plugin: id },
    });
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
    await onSize?.(opened.size);
    return opened.read();
  } finally {
    opened.close();
  }
};

/** Reads and validates a manifest. */
export const openManifest = async (
  files: ProjectFiles,
  file: string,
  onSize: OnSize,
): Promise<SimulationManifest> =>
  readManifest(await readFile(files, file, 'manifest', onSize), file);

/** Reads and validates a project with everything that belongs to it. */
export const openProject = async (
  files: ProjectFiles,
  file: string,
  onSize?: OnSize,
): Promise<Project> => {
  const project = loadProject(await readFile(files, file, 'file', onSize), file);
  checkPlugins(files, file, project);
  return project;
};

/** Looks for problems of a project. */
export const validateProjectFile = async (
  files: ProjectFiles,
  file: string,
): Promise<GatewayValidation> => {
  const project = await openProject(files, file);
  return { valid: true, id: project.header.id ?? null, counts: countTables(project) };
};
