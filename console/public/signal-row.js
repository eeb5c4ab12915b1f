import { element, setText } from './dom.js';
import { formatInstant } from './format.js';
import { Sparkline } from './sparkline.js';
import { showState } from './state.js';

const cell = (field, attributes = {}, ...children) =>
  element('td', { 'data-field': field, ...attributes }, ...children);

/** What is to be known of a value besides itself, the gravest first. */
const remarksOn = ({ latest, known }, isStale) => {
  const remarks = [];
  if (latest?.valid === false) remarks.push('invalid');
  if (known.isExpired) remarks.push('expired');
  else if (!known.plan.channel_open) remarks.push('channel closed');
  else if (latest === null) remarks.push('no sample yet');
  if (isStale && latest !== null && !known.isExpired) remarks.push('stale');
  return remarks;
};

/** One row of the page, bound to one signal of a plan. */
export class SignalRowView {
  #row;
  #isStale = null;
  #sparkline = new Sparkline();
  #text;
  #time = cell('time');
  #value = cell('value', { class: 'number' });
  #unit = cell('unit');
  #label = cell('label');
  #state = cell('state');

  constructor(row) {
    this.#row = row;
    const { signal } = row;
    const { plan_id, channel, selector, database, message } = row.known.plan;
    const place = `${selector}, database ${database}, ${plan_id}`;
    this.order = row.order;
    this.node = element(
      'tr',
      { 'data-plan': plan_id, 'data-message': message, 'data-signal': signal },
      this.#time,
      cell('channel', { title: place }, channel),
      cell('message', { title: `${message}: ${place}` }, message),
      element('th', { scope: 'row', title: signal }, signal),
      this.#value,
      this.#unit,
      this.#label,
      cell('trend', {}, this.#sparkline.node),
      this.#state,
    );
    this.#text = [signal, message, channel, selector, database, plan_id].join(' ').toLowerCase();
  }

  get row() {
    return this.#row;
  }

  matches(words) {
    return words.every((word) => this.#text.includes(word));
  }

  /** Draws what is new. */
  draw(isStale) {
    if (!this.#row.isDirty && this.#isStale === isStale) return;
    this.#row.isDirty = false;
    this.#isStale = isStale;
    this.#drawSample(this.#row.latest);
    this.#sparkline.draw(this.#row.trend);
    const remarks = remarksOn(this.#row, isStale);
    this.node.dataset.state = remarks.join(' ');
    if (remarks.length > 0) showState(this.#state, remarks[0], remarks.join(', '));
    else setText(this.#state, '');
  }

  #drawSample(sample) {
    setText(this.#time, sample ? formatInstant(sample.timestamp_us) : '–');
    setText(this.#value, sample?.value ?? '–');
    setText(this.#unit, sample?.unit ?? '');
    setText(this.#label, sample?.label ?? '');
    this.#value.title = sample ? `Raw ${sample.raw}` : '';
  }
}
