import { packGraph } from '../graph/packed-graph.ts';
import { buildImage, countRows } from '../image/build-image.ts';
import { importProject } from '../import/import-project.ts';
import type { BuildSteps } from '../instances/instance-loads.ts';
import { loadProject } from '../project/load-project.ts';

import { projectText } from '../project/write-project.ts';

import type { BuilderOffer } from './builder-contract.ts';
import { openManifest, openProject, validateProjectFile } from './open-project.ts';
import type { ProjectFiles } from './project-files.ts';

/** Pieces in which a text is written, so that it need not be copied as a whole. */
const pieceBytes = 1024 * 1024;

function* piecesOf(text: SharedArrayBuffer): Generator<Uint8Array> {
  for (let offset = 0; offset < text.byteLength; offset += pieceBytes) {
    yield new Uint8Array(text, offset, Math.min(pieceBytes, text.byteLength - offset));
  }
}

/** The text of a project with its fault rules switched on and off. */
function* switchedPieces(
  text: SharedArrayBuffer,
  switches: readonly boolean[],
): Generator<Uint8Array> {
  const project = loadProject(new Uint8Array(text));
  const rules = project.fault_rules.map((rule, row) => ({
    ...rule,
    enabled: switches[row] ?? rule.enabled,
  }));
  const encoder = new TextEncoder();
  for (const piece of projectText({ ...project, fault_rules: rules })) yield encoder.encode(piece);
}

/** What a builder does with the files it has, while `steps` follow it. */
export const projectBuilder = (files: ProjectFiles, steps: BuildSteps): BuilderOffer => ({
  load: async (file) => {
    const project = await openProject(files, file, (bytes) => steps.opened(bytes));
    await steps.validated(countRows(project), project.header.id ?? null);
    return buildImage(project);
  },
  loadManifest: async (file) => {
    const manifest = await openManifest(files, file, (bytes) => steps.opened(bytes));
    await steps.validated(manifest.messages.length, manifest.name);
    return manifest;
  },
  validate: (file) => validateProjectFile(files, file),
  importDbc: (given) => importProject(files, given),
  save: (text, file, switches) =>
    files.replace(file, switches ? switchedPieces(text, switches) : piecesOf(text), 'file'),
  graph: (text) => packGraph(loadProject(Buffer.from(new Uint8Array(text)))),
});
