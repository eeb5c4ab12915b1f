const { existsSync } = require('node:fs');
const { join } = require('node:path');

/**
 * Who may import whom. A room may import those above it, and inside its own layer only what its
 * row says. `only` narrows a room to the rooms named, beside `base`.
 */
const layers = [
  [{ room: 'base' }],
  [
    { room: 'frame' },
    { room: 'database', inside: ['frame'] },
    { room: 'modbus/pdu' },
    { room: 'modbus/framing', inside: ['modbus/pdu'] },
    { room: 'link' },
    { room: 'doctor', only: [] },
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
    { room: 'demo', inside: ['bench'] },
  ],
  [
    { room: 'database/service', only: ['database'] },
    { room: 'signal/service', only: ['frame', 'database', 'broker', 'signal'] },
    { room: 'trace/service', only: ['frame', 'trace', 'transmit'] },
    { room: 'remote/service', only: ['frame', 'broker', 'remote', 'bench'] },
    { room: 'recording/service', only: ['frame', 'broker', 'trace', 'recording'] },
    {
      room: 'modbus/service',
      only: [
        'bench',
        'modbus/pdu',
        'modbus/framing',
        'modbus/transport',
        'modbus/session',
        'modbus/client',
        'modbus/server',
      ],
    },
  ],
  [{ room: 'gateway/project', only: ['frame', 'database', 'modbus/pdu'] }],
  [{ room: 'gateway/values', only: ['gateway/project'] }],
  [
    { room: 'gateway/codecs', only: ['gateway/project', 'gateway/values'] },
    { room: 'gateway/e2e', only: ['gateway/project'] },
    { room: 'gateway/transforms', only: ['gateway/project', 'gateway/values'] },
  ],
  [
    {
      // Pure: what it wants read and written is told as requests, and answered as items.
      room: 'gateway/modbus',
      only: ['modbus/pdu', 'gateway/project', 'gateway/values', 'gateway/codecs'],
    },
  ],
  [{ room: 'gateway/memory', only: ['gateway/values'] }],
  [
    {
      room: 'gateway/plan',
      only: [
        'modbus/pdu',
        'gateway/project',
        'gateway/values',
        'gateway/memory',
        'gateway/codecs',
        'gateway/modbus',
      ],
    },
  ],
  [
    {
      room: 'gateway/image',
      only: [
        'gateway/project',
        'gateway/values',
        'gateway/codecs',
        'gateway/memory',
        'gateway/plan',
      ],
    },
  ],
  [
    {
      // Pure: what it sends goes to a transport, and time is what it is told.
      room: 'gateway/engine',
      only: [
        'modbus/pdu',
        'gateway/project',
        'gateway/values',
        'gateway/codecs',
        'gateway/modbus',
        'gateway/e2e',
        'gateway/transforms',
        'gateway/memory',
        'gateway/plan',
        'gateway/image',
      ],
    },
  ],
  [
    {
      // Calls libraries of others, in flat buffers; what it makes of them are parts of an engine.
      room: 'gateway/plugins',
      only: [
        'gateway/project',
        'gateway/values',
        'gateway/codecs',
        'gateway/e2e',
        'gateway/transforms',
        'gateway/memory',
        'gateway/plan',
        'gateway/image',
        'gateway/engine',
      ],
    },
  ],
  [
    { room: 'gateway/files', only: [] },
    { room: 'gateway/simulation', only: ['frame', 'transmit', 'gateway/project'] },
  ],
  [{ room: 'gateway/instances' }],
  [
    { room: 'gateway/graph' },
    { room: 'gateway/import' },
    { room: 'gateway/runtime' },
    { room: 'gateway/watch' },
  ],
  [{ room: 'gateway/build' }],
  [{ room: 'gateway/service' }],
  [{ room: 'operations' }],
  [{ room: 'web' }, { room: 'daemon/ipc' }, { room: 'cli' }],
  [
    { room: 'daemon/jobs' },
    { room: 'daemon/threads' },
    { room: 'daemon/lifecycle' },
    { room: 'daemon/rehearsal' },
    { room: 'daemon/health', inside: ['daemon/threads'] },
  ],
  [{ room: 'daemon/compose' }],
  [{ room: 'entry' }],
];

/** The same for the console. Pages know nothing of each other: their layer has no `inside`. */
const consoleLayers = [
  [{ room: 'format' }, { room: 'storage' }, { room: 'styles' }],
  [{ room: 'api', only: ['storage'] }],
  [{ room: 'codec', only: ['api', 'format'] }, { room: 'state' }],
  [{ room: 'trace-core', only: ['api', 'format', 'codec'] }],
  [{ room: 'streams', only: ['api', 'storage', 'trace-core'] }, { room: 'ui' }],
  [{ room: 'forms' }, { room: 'samples' }, { room: 'live' }],
  [{ room: 'plot' }],
  [{ room: 'gateway' }],
  [
    ...['overview', 'trace', 'signals', 'send', 'files', 'channels', 'modbus', 'api'],
    ...['instances', 'flow', 'gateway-signals', 'faults'],
  ].map((page) => ({
    room: `pages/${page}`,
  })),
  [{ room: 'app' }],
];

/** Rooms of `src` that the console shares: they run in a browser as they do in Node. */
const sharedRooms = [
  'base/csv',
  'base/decimal',
  'frame',
  'database',
  'modbus/pdu',
  'modbus/transport/notation',
  'trace',
];

/**
 * Slow implementations of rules of ours, to compare with: written from the rules alone, so that an
 * error of the product cannot be theirs too.
 */
const referenceTree = 'tests/reference';

/** Names of folders below a tree. A rule about one that is not there would hold for nothing. */
const existing = (names, tree = 'src') => {
  const missing = names.filter((name) => !existsSync(join(__dirname, '..', tree, name)));
  if (missing.length > 0) throw new Error(`No folder of ${tree}: ${missing.join(', ')}`);
  return names;
};

/** The rooms of a table, whose rows name no others. */
const roomsOf = (table) => {
  const rows = table.flat();
  const rooms = rows.map(({ room }) => room);
  const named = rows.flatMap(({ only = [], inside = [] }) => [...only, ...inside]);
  const unknown = named.filter((name) => !rooms.includes(name));
  if (unknown.length > 0) throw new Error(`No room of the table: ${unknown.join(', ')}`);
  return rooms;
};

module.exports = { layers, consoleLayers, sharedRooms, referenceTree, existing, roomsOf };
