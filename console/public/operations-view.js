import { byTestId, element, setText } from './dom.js';
import { focusBySlash } from './filter-key.js';
import { showError, showNotice } from './notice.js';
import { showOperation } from './operation-detail.js';
import { matchesQuery } from './operation-search.js';

const body = byTestId('operations').tBodies[0];
const filter = byTestId('operation-filter');
const count = byTestId('operation-count');
const notice = byTestId('operations-notice');

/** Operations with their rows, in the order of the service. */
let entries = [];
let selected = null;

const visible = () => entries.filter(({ row }) => !row.hidden);

const httpCell = ({ available, method, path, reason }) =>
  available
    ? element('td', { title: `${method} ${path}` }, element('code', {}, `${method} ${path}`))
    : element('td', { class: 'quiet', title: reason }, `none: ${reason}`);

/** One row: its button is what the keyboard reaches, and the whole of it answers the mouse. */
const entryOf = (operation) => {
  const { id, summary, permission, cli, http } = operation;
  const usage = cli?.usage ?? id;
  const button = element('button', { type: 'button', tabindex: '-1', title: usage }, usage);
  const row = element(
    'tr',
    { 'data-operation': id },
    element('th', { scope: 'row' }, button),
    element('td', { title: summary }, summary),
    element('td', {}, permission),
    httpCell(http),
  );
  const entry = { operation, row, button };
  button.addEventListener('focus', () => select(entry));
  row.addEventListener('click', () => button.focus());
  return entry;
};

/** The selected row is the only tab stop of the table; arrow keys move from there. */
const select = (entry) => {
  if (entry === selected) return;
  if (selected) {
    selected.row.removeAttribute('aria-current');
    selected.button.tabIndex = -1;
  }
  selected = entry;
  if (selected) {
    selected.row.setAttribute('aria-current', 'true');
    selected.button.tabIndex = 0;
  }
  showOperation(selected?.operation ?? null);
};

const applyFilter = () => {
  // Until there is a list, the notice says why there is none.
  if (entries.length === 0) return;
  for (const { row, operation } of entries) row.hidden = !matchesQuery(operation, filter.value);
  const matches = visible();
  setText(count, `${matches.length} of ${entries.length}`);
  showNotice(
    notice,
    matches.length > 0
      ? []
      : [`No operation matches “${filter.value}”.`, 'Press Esc in the filter to clear it.'],
  );
  if (!matches.includes(selected)) select(matches[0] ?? null);
};

const clearFilter = () => {
  filter.value = '';
  applyFilter();
};

const steps = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity };

const walk = (event) => {
  const step = steps[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const matches = visible();
  const to = matches.indexOf(selected) + step;
  // Up from the first row leads back to the filter that leads down to it.
  if (event.key === 'ArrowUp' && to < 0) filter.focus();
  else matches[Math.min(Math.max(to, 0), matches.length - 1)]?.button.focus();
};

const onFilterKey = (event) => {
  if (event.key === 'Escape') clearFilter();
  else if (event.key === 'ArrowDown' || event.key === 'Enter') selected?.button.focus();
  else return;
  event.preventDefault();
};

filter.addEventListener('input', applyFilter);
filter.addEventListener('keydown', onFilterKey);
body.addEventListener('keydown', walk);
focusBySlash(filter);

let shown = '';

/** Lists the operations; a list that did not change stays as it is, focus and selection included. */
export const showOperations = ({ operations }) => {
  const text = JSON.stringify(operations);
  if (text === shown) return showNotice(notice, []);
  shown = text;
  const selectedId = selected?.operation.id;
  entries = operations.map(entryOf);
  body.replaceChildren(...entries.map(({ row }) => row));
  applyFilter();
  const again = visible().find(({ operation }) => operation.id === selectedId);
  if (again) select(again);
};

export const showOperationsError = (error) => showError(notice, error);
