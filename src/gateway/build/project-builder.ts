import type { Clock } from '../../base/clock/clock.ts';
import type { FileVersion } from '../../base/files/file-identity.ts';
import { type ConfinedFiles, type ProjectFiles, whileWriting } from '../files/project-files.ts';
import { packGraph } from '../graph/packed-graph.ts';
import { buildImage, countRows } from '../image/build-image.ts';
import { importInTurn } from '../import/import-project.ts';
import { instanceLimits, LoadCharge, savedTooLarge } from '../instances/budget.ts';
import { loadProject } from '../project/load-project.ts';
import type { Project } from '../project/project.ts';
import { savedPieces } from '../project/write-project.ts';
import { compileManifest } from '../simulation/manifest.ts';
import type { BuilderRpc } from './builder-contract.ts';
import { openManifest, openProject, validateProjectFile } from './open-project.ts';

const pieceBytes = 1024 * 1024;

function* piecesOf(text: SharedArrayBuffer): Generator<Uint8Array> {
  for (let offset = 0; offset < text.byteLength; offset += pieceBytes) {
    yield new Uint8Array(text, offset, Math.min(pieceBytes, text.byteLength - offset));
  }
}

/** Rejects a project whose saved text could not be loaded again. */
const savedPiecesOf = (project: Project): readonly Uint8Array[] => {
  const pieces = savedPieces(project, instanceLimits.fileBytes);
  if (pieces === null) throw savedTooLarge('file');
  return pieces;
};

const switchedPieces = (
  text: SharedArrayBuffer,
  switches: readonly boolean[],
): readonly Uint8Array[] => {
  const project = loadProject(new Uint8Array(text));
  const rules = project.fault_rules.map((rule, row) => ({
    ...rule,
    enabled: switches[row] ?? rule.enabled,
  }));
  return savedPiecesOf({ ...project, fault_rules: rules });
};

const versionAt = (files: ProjectFiles, file: string): FileVersion | null => {
  if (files.follow(file, 'file') === undefined) return null;
  const { version, close } = files.open(file, 'file');
  close();
  return version;
};

export const projectBuilder = (
  files: ProjectFiles & Pick<ConfinedFiles, 'list'>,
  clock: Clock,
): BuilderRpc => ({
  load: async (file, ticket) => {
    const charge = new LoadCharge(ticket);
    const project = await openProject(files, file, (bytes) => charge.opened(bytes));
    charge.validated(countRows(project));
    return buildImage(project, savedPiecesOf(project));
  },
  build: (text) => buildImage(loadProject(Buffer.from(text))),
  loadManifest: async (file, ticket) => {
    const charge = new LoadCharge(ticket);
    const manifest = await openManifest(files, file, (bytes) => charge.opened(bytes));
    charge.validated(manifest.messages.length);
    return buildImage(compileManifest(manifest), [Buffer.from(JSON.stringify(manifest))]);
  },
  validate: (file) => validateProjectFile(files, file),
  importDbc: (given) => importInTurn(files, given, clock),
  save: (text, file, { switches, overwrite, isOwn } = {}) =>
    whileWriting(files, { path: file, field: 'file' }, clock, () =>
      files.replace(file, switches ? switchedPieces(text, switches) : piecesOf(text), {
        field: 'file',
        overwrite,
        expected: isOwn ? versionAt(files, file) : undefined,
      }),
    ),
  list: (endings) => files.list(endings),
  graph: (text) => packGraph(loadProject(Buffer.from(new Uint8Array(text)))),
});
