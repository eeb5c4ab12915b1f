import { dirname, join, sep } from 'node:path';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { fileTooLarge, instanceLimits } from '../instances/budget.ts';
import { loadProject } from '../project/load-project.ts';
import type { Project } from '../project/project.ts';
import type { ProjectFiles } from './project-files.ts';

/** Told how large a project is before it is read. */
export type OnSize = (bytes: number) => void | Promise<void>;

/**
 * Shared libraries must lie below `plugins`, beside the project, wherever links lead. One that is
 * missing is found out when an instance is started: a project may travel without them.
 */
const checkPlugins = (files: ProjectFiles, file: string, { plugins }: Project): void => {
  const folder = join(dirname(file), 'plugins');
  for (const { id, library } of plugins) {
    const path = join(dirname(file), library);
    const found = files.follow(path, 'file');
    const allowed = files.follow(folder, 'file');
    if (found === undefined || (allowed !== undefined && found.startsWith(allowed + sep))) continue;
    throw new BusbarError('path_outside_project', {
      message: `The library of ${id} leads outside of ${folder}`,
      details: { field: 'file', path, plugin: id },
    });
  }
};

/** Reads and validates a project with everything that belongs to it. */
export const openProject = async (
  files: ProjectFiles,
  file: string,
  onSize?: OnSize,
): Promise<Project> => {
  const opened = files.open(file, 'file');
  let bytes: Uint8Array;
  try {
    if (opened.size > instanceLimits.fileBytes) throw fileTooLarge(opened.size);
    await onSize?.(opened.size);
    bytes = opened.read();
  } finally {
    opened.close();
  }
  const project = loadProject(bytes, file);
  checkPlugins(files, file, project);
  return project;
};
