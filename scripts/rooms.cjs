const { existsSync } = require('node:fs');
const { join } = require('node:path');

/**
 * Rooms of `src` and their allowed imports: a room imports rooms of the layers above it, and of
 * its own layer those in `inside`. `only` narrows this to the rooms named, in addition to
 * `base`.
 */
const layers = [
  [
    {
      room: 'base',
      about:
        'Clock, scheduler, errors, schemas, JSON, files, sockets, serial ports and thread RPC that every room may use.',
    },
  ],
  [
    { room: 'frame', about: 'CAN and LIN frames, FRM2, DLC, filters and notation.' },
    {
      room: 'database',
      about: 'Neutral model of messages and signals; reads DBC and LDF.',
      inside: ['frame'],
    },
    {
      room: 'diagnostics',
      about: 'UDS services, requests and responses, sessions, a server, and image files.',
      inside: ['frame'],
    },
    { room: 'modbus/pdu', about: 'Modbus requests, answers, values and references.' },
    { room: 'modbus/framing', about: 'Modbus TCP, RTU and ASCII framing.', inside: ['modbus/pdu'] },
    {
      room: 'link',
      about: 'Shared by CLI and daemon: home directory, socket protocol, start report.',
    },
    {
      room: 'nats',
      about: 'Subjects, streams and messages of benches on NATS JetStream.',
      inside: ['frame'],
    },
    { room: 'doctor', about: 'Checks what a computer has and lacks for a bench.', only: [] },
  ],
  [
    {
      room: 'signal',
      about: 'Decoders and encoders of messages, live signal plans and their samples.',
      only: ['frame', 'database'],
    },
    {
      room: 'e2e',
      about: 'End-to-end protection of frames, and its check.',
      only: ['database'],
    },
    {
      room: 'lin',
      about: 'Schedule tables of LIN networks, compiled, and the machine that runs them.',
      only: ['frame', 'database'],
    },
    {
      room: 'trace',
      about: 'Event batches, and the formats that read and write them: ASC, BLF, candump, MF4.',
      only: ['frame'],
    },
    {
      room: 'pdu',
      about: 'Payloads reassembled from frames: J1939 transport, diagnostics, names.',
      only: ['frame', 'database', 'trace', 'diagnostics'],
      inside: ['trace'],
    },
    {
      room: 'broker',
      about: 'Event rings in shared memory, cursors, gaps and history.',
      only: ['frame'],
    },
  ],
  [
    {
      room: 'condition',
      about: 'Conditions on events: their text, and their evaluation over rows of a trace.',
      only: ['frame', 'database', 'signal', 'e2e', 'pdu', 'trace'],
    },
  ],
  [
    {
      room: 'drivers',
      about: 'Driver contract and registry; virtual, SocketCAN, slcan and LIN UART drivers.',
      only: ['frame', 'broker'],
    },
    { room: 'modbus/transport', about: 'Sockets and serial ports of Modbus.' },
    { room: 'remote', about: 'CAN frames to and from peers over UDP.', only: ['frame', 'broker'] },
    {
      room: 'nats/connection',
      about: 'Connections to NATS servers, with TLS and credentials from files.',
      only: ['nats'],
    },
    {
      room: 'recording',
      about: 'Events from the rings into trace files that stay readable.',
      only: ['frame', 'database', 'broker', 'trace', 'condition'],
    },
  ],
  [
    {
      room: 'table',
      about: 'Decoded signals of traces as CSV, JSON lines and Parquet.',
      only: ['frame', 'database', 'signal', 'trace', 'pdu'],
    },
    {
      room: 'check',
      about: 'Checks of events with verdicts, and their reports.',
      only: ['frame', 'database', 'signal', 'e2e', 'trace', 'pdu', 'condition'],
    },
  ],
  [
    {
      room: 'bench',
      about: 'Bench file, devices, selectors, channels and the outbox of each channel.',
    },
    { room: 'modbus/session', about: 'One Modbus link and its queue, shared by all its users.' },
    { room: 'modbus/client', about: 'Modbus calls and polls.', inside: ['modbus/session'] },
    {
      room: 'modbus/server',
      about: 'Data models served as Modbus units.',
      inside: ['modbus/session'],
    },
    {
      room: 'transmit',
      about: 'Sends, batches, cyclic tasks, routes and replay.',
      inside: ['bench'],
    },
    {
      room: 'pdu/transmit',
      about: 'Sends J1939 messages and transfers.',
      inside: ['bench', 'transmit'],
    },
    {
      room: 'demo',
      about: 'The demonstration vehicle with its database and gateway project.',
      inside: ['bench'],
    },
  ],
  [
    { room: 'database/service', about: 'Databases loaded from project files.', only: ['database'] },
    {
      room: 'signal/service',
      about: 'Signal plans of the Web service, and messages that senders name.',
      only: ['frame', 'database', 'database/service', 'broker', 'signal'],
      inside: ['database/service'],
    },
    {
      room: 'pdu/service',
      about: 'PDUs of the open channels, found in the rings, with their history.',
      only: ['frame', 'diagnostics', 'broker', 'pdu'],
    },
    {
      room: 'transmit/service',
      about: 'Sends and tasks by message name, encoded before they reach the bench thread.',
      only: [
        ...[
          'frame',
          'database',
          'signal',
          'e2e',
          'pdu',
          'lin',
          'bench',
          'transmit',
          'pdu/transmit',
        ],
        ...['database/service', 'signal/service'],
      ],
      inside: ['database/service', 'signal/service'],
    },
    {
      room: 'diagnostics/service',
      about: 'Diagnostic links, requests to ECUs, and simulated ECUs.',
      only: ['frame', 'lin', 'diagnostics', 'pdu', 'drivers', 'bench', 'transmit'],
    },
    {
      room: 'trace/service',
      about: 'Trace summaries and replay files of the loader.',
      only: ['frame', 'database', 'trace', 'condition', 'transmit'],
    },
    {
      room: 'remote/service',
      about: 'Starts and stops forwarding on bench channels.',
      only: ['frame', 'broker', 'remote', 'bench'],
    },
    {
      room: 'recording/service',
      about: 'Logging and named recorders, each with a supervised thread.',
      only: ['frame', 'broker', 'trace', 'trace/service', 'condition', 'recording', 'bench'],
    },
    {
      room: 'modbus/service',
      about: 'Modbus for callers: requests, scans, polls, servers, over one pool of sessions.',
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
  [
    {
      room: 'table/service',
      about: 'Tables of trace files, decoded in threads.',
      only: ['frame', 'database', 'signal', 'trace', 'condition', 'table', 'trace/service'],
    },
  ],
  [
    {
      room: 'check/service',
      about: 'Checks of trace files, in threads.',
      only: [
        ...['frame', 'database', 'trace', 'condition', 'check'],
        ...['table', 'trace/service', 'table/service'],
      ],
    },
  ],
  [
    {
      room: 'gateway/project',
      about: 'Tables, schema, reading, writing and rules of gateway projects.',
      only: ['frame', 'database', 'modbus/pdu', 'e2e'],
    },
  ],
  [{ room: 'gateway/values', about: 'Values with their quality.', only: ['gateway/project'] }],
  [
    {
      room: 'gateway/codecs',
      about: 'Raw values to physical values and back.',
      only: ['database', 'gateway/project', 'gateway/values'],
    },
    {
      room: 'gateway/transforms',
      about: 'Transformations and waveforms, compiled for the types of their signals.',
      only: ['gateway/project', 'gateway/values'],
    },
  ],
  [
    {
      room: 'gateway/modbus',
      about: 'Requests that read and write Modbus resources, and the items in them.',
      only: ['modbus/pdu', 'gateway/project', 'gateway/values', 'gateway/codecs'],
    },
  ],
  [
    {
      room: 'gateway/memory',
      about: 'Tables and texts in shared memory.',
      only: ['gateway/values'],
    },
  ],
  [
    {
      room: 'gateway/image',
      about: 'A project and its state in shared memory.',
      only: [
        'database',
        'modbus/pdu',
        'gateway/modbus',
        'gateway/project',
        'gateway/values',
        'gateway/codecs',
        'gateway/memory',
      ],
    },
  ],
  [
    {
      room: 'gateway/engine',
      about: 'Signals, bindings, mappings, tasks and faults in rounds, without drivers or clocks.',
      only: [
        'modbus/pdu',
        'gateway/project',
        'gateway/values',
        'gateway/codecs',
        'gateway/modbus',
        'e2e',
        'gateway/transforms',
        'gateway/memory',
        'gateway/image',
      ],
    },
  ],
  [
    {
      room: 'gateway/plugins',
      about: 'Functions of shared libraries as parts of an engine, probed and watched.',
      only: [
        'gateway/project',
        'gateway/values',
        'gateway/codecs',
        'e2e',
        'gateway/transforms',
        'gateway/memory',
        'gateway/image',
        'gateway/engine',
      ],
    },
  ],
  [
    { room: 'gateway/files', about: 'Project files of the daemon and of a command.', only: [] },
    {
      room: 'gateway/simulation',
      about: 'Simulation manifests.',
      only: ['frame', 'transmit', 'gateway/project'],
    },
  ],
  [{ room: 'gateway/instances', about: 'Loaded instances and their records.' }],
  [
    { room: 'gateway/graph', about: 'How values flow through an instance.' },
    { room: 'gateway/import', about: 'DBC files as gateway projects.' },
    { room: 'gateway/runtime', about: 'Engines on the channels and Modbus links of the bench.' },
    { room: 'gateway/watch', about: 'Changes of instances as clients see them.' },
  ],
  [{ room: 'gateway/build', about: 'The builder thread: reads, validates and builds projects.' }],
  [
    { room: 'gateway/service', about: 'Gateways for callers.' },
    {
      room: 'condition/service',
      about: 'Conditions on the channels of the bench, and on trace files.',
    },
  ],
  [
    {
      room: 'check/live',
      about: 'Checks of the open channels while events arrive.',
      only: [
        ...['frame', 'database', 'signal', 'broker', 'trace', 'condition', 'recording', 'check'],
        ...['check/service', 'condition/service'],
      ],
    },
  ],
  [
    {
      room: 'operations',
      about: 'The operations table, dispatcher, and everything rendered from the table.',
    },
  ],
  [
    {
      room: 'web',
      about: 'HTTP, server-sent events, WebSocket, authentication, metrics and console files.',
    },
    { room: 'daemon/ipc', about: 'The socket that the CLI calls.' },
    { room: 'cli', about: 'Command line, local commands, output formats and completion.' },
  ],
  [
    { room: 'daemon/jobs', about: 'Bounded jobs.' },
    { room: 'daemon/threads', about: 'Threads, their links and supervision.' },
    { room: 'daemon/lifecycle', about: 'Lock, starter pipe, log, order of start and stop.' },
    {
      room: 'daemon/health',
      about: 'Health and metrics of threads, channels and the Web service.',
      inside: ['daemon/threads'],
    },
  ],
  [{ room: 'daemon/compose', about: 'The only place that wires.' }],
  [{ room: 'entry', about: 'One file for each program and thread.' }],
];

/** The same for the console. Pages do not import each other: their layer has no `inside`. */
const consoleLayers = [
  [
    { room: 'format', about: 'Numbers, times and identifiers as text.' },
    { room: 'storage', about: 'What a browser remembers.' },
    { room: 'styles', about: 'Style sheets.' },
  ],
  [{ room: 'api', about: 'Calls of the published API.', only: ['storage'] }],
  [
    {
      room: 'codec',
      about: 'Signals decoded in the page, since its content policy forbids generated code.',
      only: ['api', 'format'],
    },
    { room: 'state', about: 'Shared state: connection, bench, gateways, the open page.' },
  ],
  [
    {
      room: 'analysis',
      about: 'Counters, checksums and fields of payloads that changed as asked.',
      only: ['codec'],
    },
  ],
  [
    {
      room: 'trace-core',
      about: 'Frames in columns, filters, rows, the by-id view, statistics and changes by ID.',
      only: ['api', 'format', 'codec', 'analysis'],
    },
  ],
  [
    {
      room: 'streams',
      about: 'One connection for all tabs.',
      only: ['api', 'storage', 'trace-core'],
    },
    { room: 'ui', about: 'Controls, tables and notices.' },
  ],
  [{ room: 'samples', about: 'Chosen signals and their samples.' }],
  [
    {
      room: 'trace-files',
      about: 'Trace files read, filtered and decoded in a worker of the page.',
      only: ['api', 'codec', 'samples', 'state', 'streams', 'trace-core'],
    },
    { room: 'forms', about: 'Fields, drafts and refusals placed at their field.' },
    { room: 'live', about: 'Resources that are followed while their page is in front.' },
  ],
  [
    { room: 'plot', about: 'Plots.' },
    {
      room: 'project-editor',
      about: 'Edits of gateway projects: documents, undo, differences, validation.',
    },
  ],
  [{ room: 'gateway', about: 'Gateway instances as their streams report them.' }],
  [
    ...[
      'overview',
      'trace',
      'signals',
      'send',
      'files',
      'recorders',
      'checks',
      'channels',
      'modbus',
      'diagnostics',
      'api',
    ],
    ...['instances', 'editor', 'flow', 'gateway-signals', 'faults'],
  ].map((page) => ({
    room: `pages/${page}`,
  })),
  [{ room: 'layouts', about: 'Pages side by side in panes.' }],
  [{ room: 'app', about: 'Frame of the page, and loading of pages.' }],
];

/** Rooms of `src` that the console shares: they run in browsers and in Node. */
const sharedRooms = [
  'base/csv',
  'base/decimal',
  'base/durations',
  'base/errors',
  'base/json',
  'base/json-schema',
  'base/errors',
  'check/report',
  'condition',
  'frame',
  'database',
  'diagnostics',
  'e2e',
  'gateway/project',
  'modbus/pdu',
  'modbus/transport/notation',
  'signal',
  'trace',
];

/** Rooms of the console that import the TypeScript client; the others use these. */
const clientRooms = ['api', 'streams'];

/**
 * Slow reference implementations, written from the rules alone, so that they do not share
 * errors with the product.
 */
const referenceTree = 'tests/reference';

/** Folders that exist below a tree. A rule about a missing folder would check nothing. */
const existing = (names, tree = 'src') => {
  const missing = names.filter((name) => !existsSync(join(__dirname, '..', tree, name)));
  if (missing.length > 0) throw new Error(`No folder of ${tree}: ${missing.join(', ')}`);
  return names;
};

/** The rooms of a table; its rows may name only these. */
const roomsOf = (table) => {
  const rows = table.flat();
  const rooms = rows.map(({ room }) => room);
  const named = rows.flatMap(({ only = [], inside = [] }) => [...only, ...inside]);
  const unknown = named.filter((name) => !rooms.includes(name));
  if (unknown.length > 0) throw new Error(`No room of the table: ${unknown.join(', ')}`);
  return rooms;
};

module.exports = {
  layers,
  consoleLayers,
  clientRooms,
  sharedRooms,
  referenceTree,
  existing,
  roomsOf,
};
