/**
 * Who may import whom. A room may import those above it, and inside its own layer only what its
 * row says. `only` narrows a room to the rooms named, beside `base`.
 */
const layers = [
  [{ room: 'base' }],
  [
    { room: 'frame' },
    { room: 'database' },
    { room: 'modbus/pdu' },
    { room: 'modbus/framing', inside: ['modbus/pdu'] },
    { room: 'link' },
  ],
  [
    { room: 'signal', only: ['frame', 'database'] },
    { room: 'trace', only: ['frame'] },
    { room: 'broker', only: ['frame'] },
  ],
  [
    { room: 'drivers', only: ['frame', 'broker'] },
    { room: 'modbus/transport' },
    { room: 'remote', only: ['frame', 'broker'] },
    { room: 'recording', only: ['frame', 'broker', 'trace'] },
  ],
  [
    { room: 'bench' },
    { room: 'modbus/session' },
    { room: 'modbus/client', inside: ['modbus/session'] },
    { room: 'modbus/server', inside: ['modbus/session'] },
    { room: 'transmit', inside: ['bench'] },
    { room: 'demo' },
  ],
  [{ room: 'gateway' }],
  [{ room: 'operations' }],
  [{ room: 'web' }, { room: 'daemon/ipc' }, { room: 'cli' }],
  [{ room: 'daemon/jobs' }, { room: 'daemon/threads' }, { room: 'daemon/lifecycle' }],
  [{ room: 'daemon/compose' }],
  [{ room: 'entry' }],
];

module.exports = { layers };
