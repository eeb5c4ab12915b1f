import { byTestId, setText } from './dom.js';
import { EventStream } from './event-stream.js';
import { onFilter } from './filter-box.js';
import { focusBySlash } from './filter-key.js';
import { formatCount, formatRate } from './format.js';
import { GapList } from './gap-list.js';
import { showError, showNotice } from './notice.js';
import { paced } from './paced.js';
import { RateMeter } from './rate-meter.js';
import { showState } from './state.js';
import { TrafficBody } from './traffic-body.js';
import { rowLimit, TrafficTable } from './traffic-table.js';

const status = byTestId('traffic-status');
const figures = byTestId('traffic-figures');
const notice = byTestId('traffic-notice');
const limit = byTestId('traffic-limit');
const filter = byTestId('traffic-filter');
const toggle = byTestId('traffic-toggle');
const clear = byTestId('traffic-clear');
const body = new TrafficBody(byTestId('traffic-table').tBodies[0], () => requestDraw());

const traffic = new TrafficTable();
const gaps = new GapList(byTestId('traffic-gaps'), 'event');

const labels = {
  connecting: 'Connecting',
  live: 'Live',
  paused: 'Paused',
  reconnecting: 'Reconnecting',
  token: 'Token needed',
  ended: 'Ended',
};

const rate = new RateMeter();

const figuresText = () => {
  const parts = [`${formatCount(traffic.events)} events`];
  if (stream.state === 'live') parts.unshift(`${formatRate(rate.perSecond)} /s`);
  if (filter.value.trim() !== '') parts.push(`${body.shown} of ${body.size} rows`);
  if (stream.lastId !== null) parts.push(`at event ${formatCount(Number(stream.lastId))}`);
  return parts.join(' · ');
};

const limitText = () =>
  traffic.size < rowLimit
    ? ''
    : `All ${rowLimit} rows are in use; ${formatCount(traffic.unlisted)} events of further ids are not listed. Clear makes room.`;

/** Answers whether to draw again even if nothing comes. */
const draw = () => {
  const now = performance.now();
  for (const row of traffic.takeFresh()) body.add(row);
  const isMarked = body.draw(now);
  rate.measure(traffic.events, now);
  setText(figures, figuresText());
  setText(limit, limitText());
  gaps.draw();
  showWaiting();
  return isMarked || (stream.state === 'live' && rate.perSecond > 0);
};

const { request: requestDraw } = paced(draw);

const showWaiting = () => {
  if (stream.state !== 'live') return;
  const isIdle = body.size === 0;
  showNotice(
    notice,
    isIdle ? ['No frame yet. Try “busbar message send SIM00001/0 123#DEADBEEF”.'] : [],
  );
};

const showStream = ({ state, error }) => {
  showState(status, state, labels[state]);
  const isWanted = !['paused', 'ended'].includes(state);
  setText(toggle, isWanted ? 'Pause' : 'Resume');
  if (error) showError(notice, error, status.dataset.tone);
  else if (state === 'reconnecting') {
    showNotice(notice, ['The service closed the stream. The console keeps trying.'], 'warn');
  } else if (state === 'paused') {
    showNotice(notice, ['Resume goes on behind the last event, as far as the history reaches.']);
  } else showNotice(notice, []);
  requestDraw();
};

const onEvent = (type, data) => {
  if (type === 'message') traffic.take(JSON.parse(data));
  else if (type === 'gap') {
    gaps.add(JSON.parse(data), { lastId: stream.lastId, hasIds: true });
    traffic.interrupt();
  }
  requestDraw();
};

const stream = new EventStream('/api/v1/messages/stream', { onEvent, onState: showStream });

toggle.addEventListener('click', () => {
  if (stream.state === 'paused' || stream.state === 'ended') stream.start();
  else stream.stop();
});

clear.addEventListener('click', () => {
  traffic.clear();
  gaps.clear();
  body.clear();
  rate.reset();
  requestDraw();
});

onFilter(filter, (query) => {
  body.filter(query);
  requestDraw();
});
focusBySlash(filter);

/** Takes every new view of the service: a stream that was refused a token goes on with the right one. */
export const followService = ({ error }) => {
  if (stream.state === 'token' && error === null) stream.start();
};

/** Takes the open channels, to call them by name. */
export const nameChannels = (channels) => {
  body.nameChannels(new Map(channels.map(({ selector, name }) => [selector, name])));
};

/** Begins to follow the traffic from now on. */
export const startTraffic = () => stream.start();
