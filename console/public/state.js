import { setText } from './dom.js';

/** How each state is told apart: by a shape and a word, and by colour only on top of these. */
const looks = {
  live: { sign: '●', tone: 'good' },
  connecting: { sign: '○', tone: 'idle' },
  unreachable: { sign: '■', tone: 'bad' },
  token: { sign: '◆', tone: 'ask' },
  ok: { sign: '●', tone: 'good' },
  running: { sign: '●', tone: 'good' },
  active: { sign: '●', tone: 'good' },
  starting: { sign: '○', tone: 'idle' },
  off: { sign: '○', tone: 'idle' },
  degraded: { sign: '▲', tone: 'warn' },
  restarting: { sign: '▲', tone: 'warn' },
  refused: { sign: '▲', tone: 'warn' },
  paused: { sign: '‖', tone: 'idle' },
  reconnecting: { sign: '▲', tone: 'warn' },
  ended: { sign: '■', tone: 'bad' },
  open: { sign: '●', tone: 'good' },
  closing: { sign: '○', tone: 'idle' },
  lost: { sign: '■', tone: 'bad' },
  error_active: { sign: '●', tone: 'good' },
  error_warning: { sign: '▲', tone: 'warn' },
  error_passive: { sign: '▲', tone: 'warn' },
  stale: { sign: '▲', tone: 'warn' },
  invalid: { sign: '▲', tone: 'bad' },
  expired: { sign: '■', tone: 'warn' },
  'channel closed': { sign: '■', tone: 'warn' },
  bus_off: { sign: '■', tone: 'bad' },
  stopped: { sign: '■', tone: 'bad' },
};

const unknown = { sign: '○', tone: 'idle' };

/** Shows a state as shape and word; the label replaces the state's own word. */
export const showState = (node, state, label = state) => {
  const { sign, tone } = looks[state] ?? unknown;
  node.dataset.tone = tone;
  setText(node, `${sign} ${label}`);
};
