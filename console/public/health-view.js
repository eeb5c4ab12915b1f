import { byTestId, element, setChildren, setText } from './dom.js';
import { formatCount, formatMicroseconds, formatTime, formatUptime } from './format.js';
import { showError, showNotice } from './notice.js';
import { showState } from './state.js';

const panel = byTestId('health');
const status = byTestId('health-status');
const updated = byTestId('health-updated');
const notice = byTestId('health-notice');
const threadRows = byTestId('threads').tBodies[0];

const field = (name) => panel.querySelector(`[data-field="${name}"]`);
const showValue = (name, text) => setText(field(name), text);

let shown = null;

const showUptime = () => {
  if (shown === null || shown.error) return;
  const sinceAnswerMs = Date.now() - shown.answeredAt.getTime();
  const us = shown.health.daemon.uptime_us + sinceAnswerMs * 1000;
  showValue('uptime', formatUptime(us / 1_000_000));
};

const showDaemon = ({ status, pid, realtime, scheduler }) => {
  const { count, p50, p99, max } = scheduler.lateness_us;
  showState(field('daemon-status'), status);
  showValue('pid', String(pid));
  showState(field('realtime'), realtime);
  showValue('tasks', formatCount(scheduler.tasks));
  showValue('lateness-p50', formatMicroseconds(p50));
  showValue('lateness-p99', formatMicroseconds(p99));
  showValue('lateness-max', formatMicroseconds(max));
  showValue('lateness-count', formatCount(count));
};

const threadRow = ({ name, state, restarts, last_failure }) => {
  const cell = element('td');
  showState(cell, state);
  return element(
    'tr',
    {},
    element('th', { scope: 'row' }, name),
    cell,
    element('td', { class: 'number' }, formatCount(restarts)),
    element('td', { class: 'wrap' }, last_failure ?? '–'),
  );
};

const showWeb = ({ status, listen, clients, requests, log_records_dropped }) => {
  showState(field('web-status'), status);
  showValue('listen', listen ?? '–');
  showValue('clients', formatCount(clients));
  showValue('requests', formatCount(requests));
  showValue('dropped', formatCount(log_records_dropped));
};

const showBroker = ({ status, channels }) => {
  showState(field('broker-status'), status);
  showValue('channels', formatCount(channels));
};

/** Every part that keeps the whole from being ok, in words. */
const complaints = ({ daemon, web, broker }) => {
  const threads = daemon.threads.filter(({ state }) => state !== 'running');
  const found = threads.map(({ name, state }) => `thread ${name} is ${state}`);
  if (daemon.status !== 'ok' && threads.length === 0) found.push('the daemon is degraded');
  if (web.log_records_dropped > 0) {
    found.push(`${formatCount(web.log_records_dropped)} log records were dropped`);
  } else if (web.status !== 'ok') found.push(`the Web service is ${web.status}`);
  if (broker.status !== 'ok') found.push('the broker is degraded');
  return found;
};

const showVerdict = (health) => {
  showState(status, health.status);
  if (health.status === 'ok') return showNotice(notice, ['Every part reports ok.']);
  const found = complaints(health).join('; ') || 'a part reports trouble';
  const sentence = `${found[0].toUpperCase()}${found.slice(1)}.`;
  showNotice(notice, [sentence, 'The daemon’s log on the bench machine has the details.'], 'warn');
};

const showStale = ({ state, health, answeredAt, error }) => {
  panel.toggleAttribute('data-stale', health !== null);
  showState(status, state, health ? `Stale, was ${health.status}` : 'Unknown');
  setText(updated, answeredAt ? `Last good answer ${formatTime(answeredAt)}` : 'No answer yet');
  showError(notice, error, status.dataset.tone);
};

/** Shows the newest health, or marks what is shown as no longer true. */
export const showHealth = (known) => {
  shown = known.health ? known : null;
  if (known.error) return showStale(known);
  const { health, answeredAt } = known;
  panel.removeAttribute('data-stale');
  setText(updated, `Updated ${formatTime(answeredAt)}`);
  showVerdict(health);
  showDaemon(health.daemon);
  setChildren(threadRows, health.daemon.threads.map(threadRow));
  showWeb(health.web);
  showBroker(health.broker);
  showUptime();
};

setInterval(showUptime, 1000);
