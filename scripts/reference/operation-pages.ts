import { BusbarError } from '../../src/base/errors/busbar-error.ts';
import { type ErrorCode, errorTable } from '../../src/base/errors/table.ts';
import type { JsonSchema } from '../../src/base/json-schema/json-schema.ts';
import { limitsOf, typeWord } from '../../src/base/json-schema/schema-text.ts';
import { hasHttp, type Operation } from '../../src/operations/define.ts';
import { publishedErrors } from '../../src/operations/face-errors.ts';
import { isCliOnly, placeOf } from '../../src/operations/http-parameters.ts';
import { cliNotation, isRequired, usageOf } from '../../src/operations/render/usage.ts';
import { code, generatedPage, prose, table } from './markdown.ts';

interface RecordCodes {
  readonly name: string;
  readonly meanings: Readonly<Record<string, string>>;
  readonly fields: readonly string[];
}

interface Found {
  readonly meanings: Readonly<Record<string, string>>;
  readonly fields: Set<string>;
}

const segmentOf = (keyword: string, holder: string): string => {
  if (holder === 'properties') return `.${keyword}`;
  return keyword === 'items' ? '[]' : '';
};

export const recordCodesOf = (operations: readonly Operation[]): readonly RecordCodes[] => {
  const found = new Map<string, Found>();
  const seen = new Set<string>();
  const visit = (node: unknown, path: string, holder: string): void => {
    if (node === null || typeof node !== 'object') return;
    const { $id: name, 'x-codes': meanings } = node as Record<string, unknown>;
    if (typeof name === 'string' && meanings) {
      const known = found.get(name) ?? {
        meanings: meanings as Found['meanings'],
        fields: new Set(),
      };
      known.fields.add(path);
      found.set(name, known);
      return;
    }
    if (typeof name === 'string' && seen.has(name)) return;
    if (typeof name === 'string') seen.add(name);
    const base = typeof name === 'string' ? name : path;
    for (const [keyword, inner] of Object.entries(node)) {
      visit(inner, base + segmentOf(keyword, holder), holder === 'properties' ? '' : keyword);
    }
  };
  for (const { id, result, http } of operations) {
    visit(result, id, '');
    if (hasHttp(http) && http.events) visit(http.events, id, '');
  }
  return [...found]
    .map(([name, { meanings, fields }]) => ({ name, meanings, fields: [...fields].sort() }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
};

/**
 * Reference pages: name, title, and the categories or ids described in addition to category `name`.
 */
const pages: readonly (readonly [name: string, title: string, ...contains: string[]])[] = [
  ['help', 'Help, demo and diagnosis', 'version', 'completion', 'doctor', 'demo'],
  ['daemon', 'Daemon and Web service', 'web', 'job'],
  [
    ...(['info', 'Service information', 'health', 'capabilities', 'openapi', 'metrics'] as const),
    ...['operation', 'execute'],
  ],
  ['bench', 'Bench and devices', 'device', 'state'],
  ['channel', 'Channels'],
  ['message', 'Messages and remote forwarding', 'remote'],
  ['condition', 'Conditions'],
  ['tx-task', 'Transmit tasks and routes', 'route'],
  ['database', 'Databases'],
  ['signal', 'Signals'],
  ['pdu', 'PDUs and J1939', 'j1939'],
  ['isotp', 'ISO-TP and simulated ECUs', 'ecu'],
  ['uds', 'UDS'],
  [
    ...([
      'uds-control',
      'UDS: control, memory and flashing',
      'uds.communication',
      'uds.dtc-setting',
    ] as const),
    ...['uds.io', 'uds.memory-read', 'uds.memory-write', 'uds.tester-present', 'uds.flash'],
  ],
  ['lin', 'LIN with an LDF'],
  ['logging', 'Logging and replay', 'replay'],
  ['trace', 'Traces'],
  ['file', 'Project files'],
  ['recorder', 'Recorders'],
  ['check', 'Checks'],
  ['modbus', 'Modbus'],
  ['gateway', 'Gateway projects and instances'],
  [
    ...([
      'gateway-values',
      'Gateway values and faults',
      'gateway.signals',
      'gateway.signal',
    ] as const),
    ...['gateway.set', 'gateway.watch', 'gateway.stream', 'gateway.graph'],
    ...['gateway.faults', 'gateway.fault', 'gateway.fault-events'],
  ],
  ['simulation', 'Simulations'],
];

/** Name of the page that describes an operation. An id takes precedence over a category. */
const pageOf = ({ id, category }: Operation): string => {
  const page =
    pages.find(([, , ...contains]) => contains.includes(id)) ??
    pages.find(([name, , ...contains]) => [name, ...contains].includes(category));
  if (page === undefined) {
    throw new BusbarError('internal_error', { message: `The reference has no page for ${id}` });
  }
  return page[0];
};

const endpointOf = ({ http }: Operation): string | null =>
  hasHttp(http) ? `${http.method} ${http.path}` : null;

const titleOf = (operation: Operation): string =>
  operation.cli?.words.join(' ') ?? endpointOf(operation) ?? operation.id;

/** A link from docs/reference to the heading, in GitHub's spelling. */
const linkTo = (operation: Operation, label: string): string => {
  const anchor = titleOf(operation)
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');
  return `[${label}](operations/${pageOf(operation)}.md#${anchor})`;
};

const parameterTable = (operation: Operation): string[] => {
  const { cli, http, parameters } = operation;
  const rows = Object.entries(parameters.properties).flatMap(([name, property]) => {
    const schema = property as JsonSchema;
    const option = cliNotation(operation, name);
    const field = hasHttp(http) && !isCliOnly(operation, name) ? placeOf(http, name) : null;
    const preset = schema.default === undefined ? '' : code(String(schema.default));
    const row = [
      ...(cli ? [option === null ? '' : code(option)] : []),
      ...(hasHttp(http) ? [field === null ? '' : `${code(name)} in ${field}`] : []),
      [typeWord(schema), ...limitsOf(schema, code).map(prose)].join('; '),
      isRequired(operation, name) ? 'required' : preset,
      prose(schema.description ?? ''),
    ];
    return option === null && field === null ? [] : [row];
  });
  const faces = [...(cli ? ['command line'] : []), ...(hasHttp(http) ? ['HTTP'] : [])];
  return table([...faces, 'type', 'default', 'meaning'], rows);
};

const operationSection = (operation: Operation): string[] => {
  const { id, summary, description, http, permission, errors, cliErrors = [] } = operation;
  const usage = usageOf(operation);
  const listed = new Set<ErrorCode>([...errors, ...cliErrors]);
  return [
    `## ${titleOf(operation)}`,
    '',
    prose(`${[summary, description].filter(Boolean).join('. ').replace(/\.$/, '')}.`),
    '',
    ...(usage === null ? [] : ['```sh', usage, ...operation.examples, '```', '']),
    ...parameterTable(operation),
    hasHttp(http)
      ? `HTTP: ${code(endpointOf(operation) ?? '')}.`
      : `No HTTP endpoint: ${prose(http.none)}.`,
    `Operation ${code(id)}, permission ${permission}.`,
    ...(listed.size === 0 ? [] : [`Errors: ${[...listed].map(code).join(', ')}.`]),
    '',
  ];
};

const recordCodesLines = (operations: readonly Operation[]): string[] => [
  'Some records contain codes, where an action continues although a part of it failed. `last_error.code` of tasks, routes and sessions, and `error.code` of polls and scans, are [error codes](errors.md). The other fields have the codes below. The codes of `details.problems` are in [gateway projects](gateway-project.md#problems).',
  '',
  ...recordCodesOf(operations).flatMap(({ name, meanings, fields }) => [
    `## ${name}`,
    '',
    `In ${fields.map(code).join(', ')}.`,
    '',
    ...table(
      ['code', 'meaning'],
      Object.entries(meanings).map(([each, meaning]) => [code(each), prose(meaning)]),
    ),
  ]),
];

export const renderReference = (operations: readonly Operation[]): Record<string, string> => {
  const page = (title: string, lines: readonly string[]) =>
    generatedPage('the operations table', title, lines);
  const index = (heads: readonly string[], label: (operation: Operation) => string | null) =>
    pages.flatMap(([name, title]) => {
      const rows = operations
        .filter((operation) => pageOf(operation) === name && label(operation) !== null)
        .map((operation) => [linkTo(operation, code(label(operation) ?? '')), operation.summary]);
      return rows.length === 0 ? [] : [`## ${title}`, '', ...table(heads, rows)];
    });
  return {
    'cli.md': page('Commands', [
      'Every command accepts `--format=text|json|jsonl|csv`, `--project=<directory>` and `--help`.',
      '',
      'Exit codes: 0 success, 1 the operation failed, 2 wrong command line, 3 the daemon could not be reached or started.',
      '',
      'Every command can fail with `invalid_argument`, `internal_error` and `output_failed`. Commands that use the daemon can also fail with `daemon_unreachable`, `version_mismatch` and `instance_unresponsive`. Each command lists its other [errors](errors.md).',
      '',
      ...index(['command', 'what it does'], ({ cli }) => cli && `busbar ${cli.words.join(' ')}`),
    ]),
    'http.md': page('HTTP endpoints', [
      'The machine-readable form is [openapi.json](openapi.json), also served at `GET /api/v1/openapi.json`. It lists all errors of every endpoint; these pages omit the ones that any request can cause, such as `unauthorized`.',
      '',
      ...index(['endpoint', 'what it does'], endpointOf),
    ]),
    ...Object.fromEntries(
      pages.map(([name, title]) => [
        `operations/${name}.md`,
        page(title, operations.filter((each) => pageOf(each) === name).flatMap(operationSection)),
      ]),
    ),
    'errors.md': page('Errors', [
      'Over HTTP an error is `{"error":{"code","message","details","retryable"},"request_id"}`. The CLI prints it to stderr and exits with the exit code.',
      '',
      'A retry of the same call may succeed if `retryable` is true. An error with a permanent cause, such as a file over its size limit or an unknown device, always has `retryable` false. [Codes in records](record-codes.md) have their own page.',
      '',
      ...table(
        ['code', 'status', 'exit', 'retryable', 'meaning', 'what to do'],
        publishedErrors(operations).map((name) => {
          const { status, exit, retryable, message, hint } = errorTable[name];
          return [
            code(name),
            String(status),
            String(exit),
            retryable ? 'yes' : 'no',
            prose(message),
            prose((hint ?? '').replace(/\{(\w+)\}/g, '<$1>')),
          ];
        }),
      ),
    ]),
    'record-codes.md': page('Codes in records', recordCodesLines(operations)),
  };
};
