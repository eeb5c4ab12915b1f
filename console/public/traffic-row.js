import { element, setText } from './dom.js';
import { formatCount, formatInstant } from './format.js';

/** How long a byte that changed stays marked. */
const markedMs = 1000;

const statusWords = [
  '',
  'bus error',
  'no acknowledge',
  'state change',
  'no response',
  'checksum',
  'collision',
  'sync',
];

const idDigits = ({ bus, extended, error }) => {
  if (bus === 'lin') return 2;
  return extended || error ? 8 : 3;
};

/** The id as engineers write it: as many hex digits as its kind has. */
export const idText = (event) => event.id.toString(16).toUpperCase().padStart(idDigits(event), '0');

const kindText = ({ bus, fd, brs, esi, remote, error, status }) =>
  [
    bus === 'lin' && 'LIN',
    fd && 'FD',
    brs && 'BRS',
    esi && 'ESI',
    remote && 'RTR',
    error && 'ERR',
    status !== 0 && (statusWords[status] ?? `status ${status}`),
  ]
    .filter(Boolean)
    .join(' ');

const lengthText = ({ data, remote, dlc }) => String(remote ? Math.min(dlc, 8) : data.length / 2);

const cycleText = (us) => {
  if (us === null) return '–';
  const ms = us / 1000;
  return ms < 100 ? ms.toFixed(2) : ms.toFixed(1);
};

/** The bytes with those that changed lately marked: neighbours of a kind share a node. */
const dataNodes = (data, isMarked) => {
  const nodes = [];
  for (let byte = 0, from = 0; from < data.length / 2; from = byte) {
    const marked = isMarked(from);
    const bytes = [];
    for (; byte < data.length / 2 && isMarked(byte) === marked; byte += 1) {
      bytes.push(data.slice(2 * byte, 2 * byte + 2));
    }
    const text = bytes.join(' ');
    if (from > 0) nodes.push(' ');
    nodes.push(marked ? element('mark', {}, text) : text);
  }
  return nodes;
};

/** One row of the page, bound to one row of the traffic. */
export class TrafficRowView {
  #row;
  #cells;
  #drawn = '';
  isMarked = false;

  constructor(row) {
    this.#row = row;
    const { latest } = row;
    const direction = latest.kind === 'tx_complete' ? 'Tx' : 'Rx';
    const cell = (field, attributes = {}) => element('td', { 'data-field': field, ...attributes });
    this.#cells = {
      time: cell('time'),
      kind: cell('kind'),
      cycle: cell('cycle', { class: 'number' }),
      count: cell('count', { class: 'number' }),
      length: cell('length', { class: 'number' }),
      data: element('div', { class: 'bytes' }),
    };
    const { time, kind, cycle, count, length, data } = this.#cells;
    const bytes = element('td', { 'data-field': 'data' }, data);
    const id = element('th', { scope: 'row' }, element('code', {}, idText(latest)));
    this.channel = element('td', { 'data-field': 'channel' });
    this.node = element(
      'tr',
      { 'data-id': idText(latest), 'data-direction': direction },
      ...[time, this.channel, element('td', {}, direction), id, kind, cycle, count, length, bytes],
    );
    if (latest.error) this.node.dataset.tone = 'bad';
    /** Rows are in the order of their channels, then of the ids on them. */
    this.order = [latest.channel, latest.id, direction === 'Tx' ? 1 : 0];
    this.selector = latest.selector;
    this.id = idText(latest).toLowerCase();
  }

  /** Says which channel it is, by the name it was given as well. */
  showChannel(name) {
    const text = name ? `${this.selector} ${name}` : this.selector;
    if (this.channel.textContent === text) return;
    this.channel.title = text;
    this.channel.replaceChildren(
      element('code', {}, this.selector),
      ...(name ? [' ', element('span', { class: 'quiet' }, name)] : []),
    );
  }

  matches(words) {
    const place = this.channel.textContent.toLowerCase();
    return words.every((word) => this.id.includes(word) || place.includes(word));
  }

  /** Draws what is new, and wipes marks whose time is over. */
  draw(now) {
    if (!this.#row.isDirty && !this.isMarked) return;
    if (this.#row.isDirty) this.#drawFigures();
    this.#row.isDirty = false;
    const { latest, changedAt } = this.#row;
    const isMarked = (byte) => now - changedAt[byte] < markedMs;
    this.isMarked = changedAt.some((_, byte) => isMarked(byte));
    const marks = changedAt.map((_, byte) => (isMarked(byte) ? 1 : 0)).join('');
    const drawn = `${latest.data} ${marks}`;
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    this.#cells.data.replaceChildren(...dataNodes(latest.data, isMarked));
  }

  #drawFigures() {
    const { latest, cycleUs, count } = this.#row;
    const cells = this.#cells;
    setText(cells.time, formatInstant(latest.timestamp_us));
    setText(cells.kind, kindText(latest));
    setText(cells.cycle, cycleText(cycleUs));
    setText(cells.count, formatCount(count));
    setText(cells.length, lengthText(latest));
  }
}
