import type { FileListing } from '../../base/files/list-files.ts';
import type { PackedGraph } from '../graph/packed-graph.ts';
import type { ProjectImage } from '../image/project-image.ts';
import type { ImportArguments } from '../import/import-project.ts';
import type { GatewayImport } from '../import/import-record.ts';
import type { LoadTicket } from '../instances/budget.ts';
import type { GatewayValidation } from './validation-record.ts';

export interface SaveOptions {
  /** Enabled flag of each fault rule, by row. Default: the flags in the text. */
  readonly switches?: readonly boolean[] | undefined;
  readonly overwrite?: boolean | undefined;
  /**
   * True for the file that the project was loaded from: it is overwritten without a check of
   * its content.
   */
  readonly isOwn?: boolean | undefined;
}

export type BuilderRpc = {
  load(file: string, ticket: LoadTicket): Promise<ProjectImage>;
  build(text: string): ProjectImage;
  loadManifest(file: string, ticket: LoadTicket): Promise<ProjectImage>;
  validate(file: string): Promise<GatewayValidation>;
  importDbc(given: ImportArguments): Promise<GatewayImport>;
  save(text: SharedArrayBuffer, file: string, options?: SaveOptions): Promise<string>;
  list(endings: readonly string[]): FileListing;
  graph(text: SharedArrayBuffer): PackedGraph;
};
