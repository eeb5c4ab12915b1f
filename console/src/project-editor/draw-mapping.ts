import { isJsonObject } from '../../../src/base/json/json-value.ts';
import { type ProjectDocument, rowsOf, valueAt, withRow, withValue } from './project-document.ts';
import { newRow, type TableSchema } from './row-schema.ts';

/** Only derived signals can be outputs of a mapping. */
const withDerived = (document: ProjectDocument, output: string): ProjectDocument =>
  rowsOf(document, 'signals').reduce<ProjectDocument>(
    (changed, signal, at) =>
      isJsonObject(signal) && signal.id === output && signal.producer !== 'derived'
        ? (withValue(changed, ['signals', at, 'producer'], 'derived') as ProjectDocument)
        : changed,
    document,
  );

/** Adds a mapping from a signal to another, which becomes a derived signal. */
export const withMapping = (
  document: ProjectDocument,
  mappings: TableSchema,
  input: string,
  output: string,
): ProjectDocument => {
  const row = newRow(document, mappings, { inputs: [input], outputs: [output] });
  const index = rowsOf(document, mappings.name).length;
  return withDerived(withRow(document, mappings.name, index, row), output);
};

/** Adds an input or an output to a mapping; an output becomes a derived signal. */
export const withMappedSignal = (
  document: ProjectDocument,
  mapping: number,
  side: 'input' | 'output',
  signal: string,
): ProjectDocument => {
  const path = ['mappings', mapping, `${side}s`];
  const signals = valueAt(document, path);
  const listed = Array.isArray(signals) ? signals : [];
  if (listed.includes(signal)) return document;
  const added = withValue(document, path, [...listed, signal]) as ProjectDocument;
  return side === 'output' ? withDerived(added, signal) : added;
};
