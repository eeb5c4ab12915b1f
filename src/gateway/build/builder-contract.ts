import type { FileListing } from '../../base/files/list-files.ts';
import type { PackedGraph } from '../graph/packed-graph.ts';
import type { ProjectImage } from '../image/project-image.ts';
import type { ImportArguments } from '../import/import-project.ts';
import type { GatewayImport } from '../import/import-record.ts';
import type { LoadTicket } from '../instances/budget.ts';
import type { GatewayValidation } from './validation-record.ts';

export interface SaveOptions {
  /** How the fault rules are switched, by row; as they are in the text if left out. */
  readonly switches?: readonly boolean[] | undefined;
  /** Whether a file that is there is replaced; so it is if left out. */
  readonly overwrite?: boolean | undefined;
  /** Whether it is the file that the project was loaded from, which is written whatever it is now. */
  readonly isOwn?: boolean | undefined;
}

/** Long work that needs much memory, in a thread that ends afterwards. */
export type BuilderRpc = {
  load(file: string, ticket: LoadTicket): Promise<ProjectImage>;
  /** A project that is in no file, by its text. */
  build(text: string): ProjectImage;
  loadManifest(file: string, ticket: LoadTicket): Promise<ProjectImage>;
  validate(file: string): Promise<GatewayValidation>;
  importDbc(given: ImportArguments): Promise<GatewayImport>;
  /** Writes the text of a project; says where. */
  save(text: SharedArrayBuffer, file: string, options?: SaveOptions): Promise<string>;
  /** The files of the project whose names end in one of these ways. */
  list(endings: readonly string[]): FileListing;
  /** How values go through a project that was loaded, given by its text. */
  graph(text: SharedArrayBuffer): PackedGraph;
};
