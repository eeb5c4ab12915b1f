// Renders the Python client's records and operations from the OpenAPI document.
import { operationsOf, pascalCase, refName, wordsOf } from './document.mjs';
import { isPythonName, PythonTypes, pythonText } from './python-types.mjs';

const generated = '# Generated from the OpenAPI document by npm run generate. Do not edit.';

/** A caller may pass any sequence for a list, and a single text in a query. */
const taken = (type, { place }) =>
  place === 'query' && type === 'List[str]'
    ? 'Union[str, Sequence[str]]'
    : type.replace(/^List\[/, 'Sequence[');

/** Keywords get an underscore, as PEP 8 has it: `from_`. */
const parameterName = ({ name }) => (isPythonName(name) ? name : `${name}_`);

const wrap = (text, indent, width = 100) => {
  const lines = [''];
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1);
    if (line !== '' && indent.length + line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.map((line) => indent + line);
};

const docLines = ({ summary, description }, fields) => {
  const told = fields.filter((field) => field.description);
  const first = `${summary.replaceAll('\\', '\\\\')}.`;
  if (!description && told.length === 0) return [`        """${first}"""`];
  return [
    `        """${first}`,
    ...(description ? ['', ...wrap(description, '        ')] : []),
    ...(told.length > 0 ? [''] : []),
    ...told.flatMap((field) =>
      wrap(`:param ${parameterName(field)}: ${field.description}`, '        ').map((line, at) =>
        at === 0 ? line : `    ${line}`,
      ),
    ),
    '        """',
  ];
};

/** Formats like Black: one part per line if they do not fit on one line. */
const bracketed = (head, parts, tail, indent) => {
  const line = `${indent}${head}${parts.join(', ')}${tail}`;
  if (line.length <= 100) return [line];
  return [`${indent}${head}`, ...parts.map((part) => `${indent}    ${part},`), `${indent}${tail}`];
};

const dictLines = (name, fields) =>
  bracketed(
    `${name} = {`,
    fields.map((field) => `${pythonText(field.name)}: ${parameterName(field)}`),
    '}',
    '        ',
  );

const parametersOf = (fields, isStream) => [
  'self',
  ...fields
    .filter(({ isRequired }) => isRequired)
    .map((field) => `${parameterName(field)}: ${field.type}`),
  ...(isStream && fields.every(({ isRequired }) => isRequired) ? [] : ['*']),
  ...fields
    .filter(({ isRequired }) => !isRequired)
    .map((field) => `${parameterName(field)}: Optional[${field.type}] = None`),
  ...(isStream ? [] : ['timeout: Optional[float] = None']),
];

const pathText = ({ path, inPath }) => {
  if (inPath.length === 0) return pythonText(path);
  const text = path.replaceAll(/\{(\w+)\}/g, (_, name) => `{_segment(${parameterName({ name })})}`);
  return `f${pythonText(text)}`;
};

/** Name prefix for records nested in a body. */
const bodyOwner = ({ body }, owner) => (body?.$ref ? refName(body.$ref) : owner);

const methodText = (operation, types) => {
  const words = wordsOf(operation.id);
  const owner = words.map(pascalCase).join('');
  const { inPath, inQuery, inBody, kind, method } = operation;
  const typeOf = (schema, name) =>
    types
      .typeOf(schema, name)
      .replaceAll(/"[^"]*"|\w+/g, (word) => (types.records.has(word) ? `records.${word}` : word));
  const typed = (fields, of) =>
    fields.map((field) => ({
      ...field,
      type: taken(typeOf(field.schema, of + pascalCase(field.name)), field),
    }));
  const fields = [
    ...typed([...inPath, ...inQuery], owner),
    ...typed(inBody, bodyOwner(operation, owner)),
  ];
  const isStream = kind === 'stream' || kind === 'websocket';
  const answer = isStream
    ? 'StreamRequest'
    : kind === 'json'
      ? typeOf(operation.answer, `${owner}Answer`)
      : kind === 'bytes'
        ? 'bytes'
        : 'str';
  const given = [
    ...(inQuery.length > 0 ? ['query=query'] : []),
    ...(operation.body ? ['body=body'] : []),
  ];
  return [
    ...bracketed(
      `def ${isStream ? '_' : ''}${words.join('_')}(`,
      parametersOf(fields, isStream),
      `) -> ${answer}:`,
      '    ',
    ),
    ...docLines(operation, fields),
    ...(inQuery.length > 0 ? dictLines('query', inQuery) : []),
    ...(operation.body ? dictLines('body', inBody) : []),
    ...bracketed(
      isStream ? 'return StreamRequest(' : 'return self._call(',
      isStream
        ? [pathText(operation), ...given]
        : [pythonText(method), pathText(operation), ...given, 'timeout=timeout'],
      ')',
      '        ',
    ),
  ].join('\n');
};

const typingNames = 'Any, Dict, List, Literal, Optional, Sequence, TypedDict, Union'.split(', ');

const importsOf = (text) =>
  `from typing import ${typingNames.filter((name) => new RegExp(`\\b${name}\\b`).test(text)).join(', ')}`;

export const renderPythonClient = (document) => {
  const types = new PythonTypes();
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    types.addRecord(name, schema);
  }
  const methods = operationsOf(document).map((operation) => methodText(operation, types));
  const records = [...types.records.values()].join('\n\n\n');
  const body = methods.join('\n\n');
  const fields = types.dataclassText('SampleFields', 'SignalSample');
  return {
    '_fields.py': [
      generated,
      '"""Fields of stream records, for handwritten classes."""',
      '',
      'from __future__ import annotations',
      '',
      'from dataclasses import dataclass',
      importsOf(fields),
      '',
      '',
      fields,
      '',
    ].join('\n'),
    'records.py': [
      generated,
      '"""What the API takes and gives, as dictionaries."""',
      '',
      'from __future__ import annotations',
      '',
      importsOf(records),
      '',
      '',
      records,
      '',
    ].join('\n'),
    '_operations.py': [
      generated,
      '"""One method for each operation of the API."""',
      '',
      'from __future__ import annotations',
      '',
      importsOf(`${body} Any`),
      'from urllib.parse import quote',
      '',
      'from . import records',
      'from ._caller import Caller',
      'from ._request import StreamRequest',
      '',
      '',
      'def _segment(text: Any) -> str:',
      '    return quote(str(text), safe="")',
      '',
      '',
      'class Operations(Caller):',
      '    """Operations of the API; None is omitted from the request."""',
      '',
      body,
      '',
    ].join('\n'),
  };
};
