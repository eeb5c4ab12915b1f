import type { FileListing } from '../../base/files/list-files.ts';
import type { PackedGraph } from '../graph/packed-graph.ts';
import type { ProjectImage } from '../image/project-image.ts';
import type { ImportArguments } from '../import/import-project.ts';
import type { GatewayImport } from '../import/import-record.ts';
import type { LoadTicket } from '../instances/budget.ts';
import type { GatewayValidation } from './validation-record.ts';

export interface SaveOptions {
  /** Enabled state of the fault rules, by row; default: as in the text. */
  readonly switches?: readonly boolean[] | undefined;
  /** Replaces an existing file. Default: true. */
  readonly overwrite?: boolean | undefined;
  /** The file that the project was loaded from; it is written regardless of its content. */
  readonly isOwn?: boolean | undefined;
}

/** Long work that needs much memory, in a thread that ends afterwards. */
export type BuilderRpc = {
  load(file: string, ticket: LoadTicket): Promise<ProjectImage>;
  /** Builds a project from its text. */
  build(text: string): ProjectImage;
  loadManifest(file: string, ticket: LoadTicket): Promise<ProjectImage>;
  validate(file: string): Promise<GatewayValidation>;
  importDbc(given: ImportArguments): Promise<GatewayImport>;
  /** Writes the text of a project; returns the path. */
  save(text: SharedArrayBuffer, file: string, options?: SaveOptions): Promise<string>;
  /** Files of the project whose names have one of these endings. */
  list(endings: readonly string[]): FileListing;
  /** The value graph of a loaded project, from its text. */
  graph(text: SharedArrayBuffer): PackedGraph;
};
