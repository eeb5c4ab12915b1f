import { byTestId, element } from './dom.js';

const place = byTestId('operation-detail').querySelector('.scroll');

const code = (text) => element('code', {}, text);

const table = (caption, heads, rows) =>
  element(
    'table',
    {},
    element('caption', {}, caption),
    element(
      'thead',
      {},
      element('tr', {}, ...heads.map((head) => element('th', { scope: 'col' }, head))),
    ),
    element('tbody', {}, ...rows),
  );

const row = (head, ...cells) =>
  element(
    'tr',
    {},
    element('th', { scope: 'row' }, head),
    ...cells.map((cell) => element('td', { class: 'wrap' }, cell)),
  );

const fact = (name, value) => element('div', {}, element('dt', {}, name), element('dd', {}, value));

const needs = {
  none: 'not asked',
  optional: 'answers without one',
  required: 'required',
  start: 'started if none is running',
};

const facts = ({ permission, execution, http }) =>
  element(
    'dl',
    { class: 'facts' },
    fact('HTTP', http.available ? code(`${http.method} ${http.path}`) : `none: ${http.reason}`),
    fact('Permission', permission),
    fact('Runs in', `${execution.place}${execution.streaming ? ', streaming' : ''}`),
    fact('Daemon', needs[execution.daemon] ?? execution.daemon),
  );

const written = (value) => (typeof value === 'string' ? value : JSON.stringify(value));

const bounds = (low, high, unit) => {
  if (low === undefined && high === undefined) return [];
  if (high === undefined) return [`at least ${low}${unit}`];
  return [low === undefined ? `at most ${high}${unit}` : `${low} to ${high}${unit}`];
};

/** What a schema allows, in the words a person would use. */
const rangeOf = (schema) =>
  [
    ...(schema.enum ? [schema.enum.map(written).join(', ')] : []),
    ...bounds(schema.minimum, schema.maximum, ''),
    ...bounds(schema.minLength, schema.maxLength, ' characters'),
    ...bounds(schema.minItems, schema.maxItems, ' items'),
    ...(schema.pattern ? [`matches ${schema.pattern}`] : []),
    ...(schema.default === undefined ? [] : [`default ${written(schema.default)}`]),
  ].join('; ');

const parameterRow = ({ name, type, required, description, schema, cli, http }) =>
  row(
    code(name),
    `${type}${required ? ', required' : ''}`,
    rangeOf(schema) || '–',
    cli === null ? '–' : code(cli),
    http ?? '–',
    description,
  );

const parameters = (list) =>
  list.length === 0
    ? element('p', { class: 'empty' }, 'It takes no parameters.')
    : table(
        'Parameters',
        ['Name', 'Type', 'Allowed', 'Command line', 'HTTP', 'Meaning'],
        list.map(parameterRow),
      );

const errorRow = ({ code: name, status, exit, retryable, message }) =>
  row(code(name), String(status), String(exit), retryable ? 'yes' : 'no', message);

const errors = (list) =>
  table('Errors', ['Code', 'Status', 'Exit', 'Retry', 'Message'], list.map(errorRow));

const commands = ({ usage, examples }) => [
  element('pre', {}, code(usage)),
  ...(examples.length > 0
    ? [element('h4', {}, 'Examples'), element('pre', {}, code(examples.join('\n')))]
    : []),
];

const paragraphs = (text) => text.split('\n\n').map((part) => element('p', {}, part));

/** Shows the whole contract of an operation, or what to do to see one. */
export const showOperation = (operation) => {
  place.scrollTop = 0;
  if (operation === null) {
    const hint = 'Select an operation to see its parameters and errors.';
    return place.replaceChildren(element('p', { class: 'empty' }, hint));
  }
  place.replaceChildren(
    element('h3', {}, code(operation.id), ` ${operation.summary}`),
    ...paragraphs(operation.description ?? ''),
    ...(operation.cli ? commands(operation.cli) : []),
    facts(operation),
    parameters(operation.parameters),
    errors(operation.errors),
  );
};
