import type { Database } from '../../model.ts';
import type { TextEncoding } from '../../text/encoding.ts';
import { encodeText } from '../../text/testing/encode-text.ts';
import { newSymbols } from '../read/keywords.ts';
import type { DbcSpecifics } from '../specifics.ts';
import {
  definitionLines,
  longNameDefinitions,
  longNameLines,
  relationLines,
} from './write/attribute-lines.ts';
import { CompleteAttributes } from './write/complete-attributes.ts';
import { DbcNames } from './write/dbc-names.ts';
import {
  groupLines,
  messageLines,
  rangeLines,
  senderLines,
  valueTypeLines,
  variableLines,
} from './write/frame-lines.ts';
import { type AnnotatedObject, notedObjects } from './write/noted-objects.ts';
import { pairsText, quote, valueText } from './write/text.ts';

export interface WriteDbcOptions {
  /** Used if it has all characters of the database. Default: UTF-8. */
  readonly encoding?: TextEncoding;
}

const headerLines = ({ version, nodes, specifics }: Database<DbcSpecifics>, names: DbcNames) => {
  const { bitTiming } = specifics;
  const timing = bitTiming ? ` ${bitTiming.baudRate} : ${bitTiming.btr1} , ${bitTiming.btr2}` : '';
  return [
    ...(version === null ? [] : [`VERSION ${quote(version)}`, '']),
    'NS_ :',
    ...newSymbols.map((symbol) => `\t${symbol}`),
    '',
    `BS_:${timing}`,
    '',
    `BU_: ${nodes.map(({ name }) => names.nodes.of(name)).join(' ')}`.trimEnd(),
  ];
};

const commentLines = (noted: readonly AnnotatedObject[]): string[] =>
  noted.flatMap(({ subject, comment }) =>
    comment === null ? [] : [`CM_ ${subject}${quote(comment)};`],
  );

const attributeLines = (noted: readonly AnnotatedObject[]): string[] =>
  noted.flatMap(({ subject, attributes }) =>
    Object.entries(attributes).map(
      ([name, value]) => `BA_ ${quote(name)} ${subject}${valueText(value)};`,
    ),
  );

const valueLines = (noted: readonly AnnotatedObject[]): string[] =>
  noted.flatMap(({ valueSubject, values }) =>
    values.length === 0 ? [] : [`VAL_ ${valueSubject} ${pairsText(values)};`],
  );

export const writeDbc = (
  database: Database<DbcSpecifics>,
  options: WriteDbcOptions = {},
): Uint8Array => {
  const { messages, valueTables, specifics } = database;
  const names = new DbcNames(database);
  const complete = new CompleteAttributes(database);
  const noted = notedObjects(database, names, complete);
  const definitions = [...complete.definitions, ...longNameDefinitions(names)];
  const lines = [
    ...headerLines(database, names),
    ...valueTables.map(({ name, values }) => `VAL_TABLE_ ${name} ${pairsText(values)};`),
    '',
    '',
    ...messageLines(messages, names),
    ...senderLines(messages, names),
    '',
    ...variableLines(database, names),
    '',
    ...commentLines(noted),
    ...definitionLines(definitions),
    ...attributeLines(noted),
    ...longNameLines(messages, names),
    ...relationLines(specifics.relationAttributes, names),
    ...valueLines(noted),
    ...valueTypeLines(messages, names),
    ...groupLines(database, names),
    ...rangeLines(messages, names),
    '',
  ];
  return encodeText(lines.join('\r\n'), options.encoding ?? 'utf-8');
};
