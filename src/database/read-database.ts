import { BusbarError } from '../base/errors/busbar-error.ts';
import { type DatabaseType, type Diagnostic, databaseTypes } from './database-records.ts';
import { readDbc } from './dbc/read-dbc.ts';
import { readLdf } from './ldf/read-ldf.ts';
import type { Database } from './model.ts';
import type { TextEncoding } from './text/encoding.ts';

export interface ReadDatabase {
  readonly type: DatabaseType;
  readonly database: Database;
  readonly diagnostics: readonly Diagnostic[];
  readonly encoding: TextEncoding;
}

/** Formats that are recognised and rejected, with a form that no DBC or LDF file begins with. */
const unsupported = [
  { format: 'arxml', name: /\.arxml$/i, content: /<AUTOSAR[\s>]/ },
  { format: 'kcd', name: /\.kcd$/i, content: /<NetworkDefinition[\s>]/ },
  { format: 'cdd', name: /\.cdd$/i, content: /<CANDELA[\s>]/ },
  { format: 'odx', name: /\.(?:odx(?:-[a-z]+)?|pdx)$/i, content: /<ODX[\s>]/ },
  { format: 'sym', name: /\.sym$/i, content: /^[ \t]*FormatVersion\s*=/m },
] as const;

const supported = [
  { type: 'ldf', name: /\.ldf$/i, content: /^[ \t]*LIN_(?:description_file|protocol_version)\b/m },
  {
    type: 'dbc',
    name: /\.dbc$/i,
    content: /^[ \t]*(?:VERSION\s+"|NS_\s*:|BS_\s*:|BU_\s*:|BO_\s+\d)/m,
  },
] as const;

/** Comments can precede the first line of a file. */
const checkedBytes = 65_536;

const unsupportedFormat = (format: string): BusbarError =>
  new BusbarError('unsupported_database', {
    message: `Databases of the format ${format.toUpperCase()} are not supported`,
    details: { format, supported: [...databaseTypes] },
  });

/** The format of a file: by its first bytes, else by its name, else DBC. */
export const databaseTypeOf = (file: string, bytes: Uint8Array): DatabaseType => {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, checkedBytes));
  const found = supported.find(({ content }) => content.test(head));
  if (found !== undefined) return found.type;
  const foreign =
    unsupported.find(({ content }) => content.test(head)) ??
    unsupported.find(({ name }) => name.test(file));
  if (foreign !== undefined) throw unsupportedFormat(foreign.format);
  return supported.find(({ name }) => name.test(file))?.type ?? 'dbc';
};

export const readDatabase = (
  file: string,
  bytes: Uint8Array,
  known?: DatabaseType,
): ReadDatabase => {
  const type = known ?? databaseTypeOf(file, bytes);
  return { type, ...(type === 'ldf' ? readLdf(bytes) : readDbc(bytes)) };
};
