const { builtinModules } = require('node:module');
const {
  clientRooms,
  consoleLayers,
  existing,
  layers,
  referenceTree,
  roomsOf,
  sharedRooms,
} = require('./scripts/rooms.cjs');

/** Parts of the daemon that serve no clients: they use the table, but no face. */
const facelessRooms = existing(['daemon/jobs', 'daemon/threads', 'daemon/lifecycle']);
const faces = existing(['web', 'daemon/ipc', 'cli']);

/** Packages bundled into the product, so that an installation has no dependencies. */
const bundledPackages = ['@nats-io', 'koffi', 'pako', 'typebox', 'ws'];

const rooms = existing(roomsOf(layers));
existing(roomsOf(consoleLayers), 'console/src');
existing(sharedRooms);

/** The files of a room, without those of rooms inside it: `signal` is not `signal/service`. */
const inRoom = (room) => {
  const within = rooms.filter((other) => other.startsWith(`${room}/`));
  const others = within.map((other) => other.slice(room.length + 1)).join('|');
  return others ? `^src/${room}/(?!(?:${others})/)` : `^src/${room}/`;
};
const inConsoleRoom = (room) => `^console/src/${room}/`;

/** One rule for each room of a table: its forbidden imports within the same tree. */
const rulesOf = (table, { prefix, tree, pathOf, shared }) =>
  table.flatMap((rows, index) => {
    const above = table.slice(0, index).flatMap((higher) => higher.map(({ room }) => room));
    return rows.map(({ room, only, inside = [] }) => {
      const visible = only ? [...shared, ...only] : [...above, ...inside];
      const allowed = facelessRooms.includes(room)
        ? visible.filter((other) => !faces.includes(other))
        : visible;
      return {
        name: `${prefix}-${room.replace('/', '-')}`,
        comment: `${room} may import: ${allowed.join(', ') || 'nothing'}`,
        severity: 'error',
        from: { path: pathOf(room) },
        to: { path: tree, pathNot: [room, ...allowed].map(pathOf) },
      };
    });
  });

const layerRules = [
  ...rulesOf(layers, { prefix: 'room', tree: '^src/', pathOf: inRoom, shared: ['base'] }),
  ...rulesOf(consoleLayers, {
    prefix: 'console',
    tree: '^console/',
    pathOf: inConsoleRoom,
    shared: [],
  }),
];

const pureRooms = existing([
  'base/csv',
  'base/decimal',
  'frame',
  'database',
  'trace',
  'modbus/pdu',
  'modbus/framing',
  'modbus/transport/notation',
  'nats',
  'gateway/project',
  'gateway/values',
  'gateway/codecs',
  'gateway/transforms',
  'e2e',
  'gateway/modbus',
]);

/** Use Node's zlib; the console shares only the files that do not. */
const compressing = '^src/trace/(blf/|mf4/|inflate\\.ts$)';

/** Read traces: the build of the console replaces `src/trace/inflate.ts`, which uses zlib. */
const inflating = '^console/src/trace-files/(file-worker|file-controller|inflate)\\.ts$';

module.exports = {
  forbidden: [
    ...layerRules,
    {
      name: 'src-stands-alone',
      comment: 'What ships knows nothing of the console, of scripts or of tests',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(console|scripts|tests|bench|docs)/', pathNot: '^scripts/openapi/' },
    },
    {
      name: 'console-shares-pure-rooms',
      comment: `Of src, the console imports only ${sharedRooms.join(', ')}: the rest it asks the API`,
      severity: 'error',
      from: { path: '^console/', pathNot: '\\.test\\.ts$|/testing/' },
      to: { path: '^(src|scripts|tests|bench)/', pathNot: sharedRooms.map(inRoom) },
    },
    {
      name: 'console-calls-through-its-client',
      comment: `Of the console, only ${clientRooms.join(' and ')} import the TypeScript client`,
      severity: 'error',
      from: { path: '^console/', pathNot: [...clientRooms.map(inConsoleRoom), '\\.test\\.ts$'] },
      to: { path: '^clients/' },
    },
    {
      name: 'client-stands-alone',
      comment:
        'The TypeScript client is a package of its own: it imports nothing else of the repository',
      severity: 'error',
      from: { path: '^clients/' },
      to: { pathNot: '^clients/typescript/' },
    },
    {
      name: 'console-runs-in-browsers',
      comment: 'A browser has no modules of Node, also not through other files',
      severity: 'error',
      from: { path: '^console/src/', pathNot: ['\\.test\\.tsx?$|/testing/', inflating] },
      to: { path: `^(node:)?(${builtinModules.join('|')})$`, reachable: true },
    },
    {
      name: 'reference-stands-alone',
      comment: 'What the product is compared with shares nothing with it: itself and Node alone',
      severity: 'error',
      from: { path: `^${referenceTree}/`, pathNot: '\\.test\\.ts$' },
      to: { pathNot: `^${referenceTree}/`, dependencyTypesNot: ['core'] },
    },
    {
      name: 'no-circular',
      comment: 'Not even by types: of two files that know each other neither can be read alone',
      severity: 'error',
      from: { path: `^(src|console|${referenceTree})/` },
      to: { circular: true },
    },
    {
      name: 'pure-rooms-do-no-io',
      comment: 'Codecs are pure: no sockets, no files, no timers',
      severity: 'error',
      from: { path: pureRooms.map(inRoom), pathNot: ['\\.test\\.ts$|/testing/', compressing] },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'operations-know-no-face',
      comment: 'Operations know nothing of HTTP servers, argv or threads',
      severity: 'error',
      from: { path: '^src/operations/', pathNot: '\\.test\\.ts$' },
      to: {
        path: '^(node:)?(http|https|net|process|worker_threads|fs|child_process)(/|$)',
      },
    },
    {
      name: 'cli-starts-fast',
      comment: 'Loading the schema builder would cost a command half of its time',
      severity: 'error',
      from: { path: '^src/(cli|link)/', pathNot: '\\.test\\.ts$' },
      to: {
        path: 'typebox|src/operations/(registry|validate|dispatcher|define)',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'product-code-ships',
      comment: 'Of packages, what ships imports only those that the build puts into it',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.test\\.ts$|/testing/' },
      to: {
        dependencyTypes: ['npm', 'npm-dev', 'npm-unknown', 'undetermined'],
        pathNot: ['^busbar:', `node_modules/(${bundledPackages.join('|')})/`],
      },
    },
  ],
  options: {
    skipAnalysisNotInRules: true,
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      // By default files are read again after four seconds.
      cachedInputFileSystem: { cacheDuration: 600_000 },
    },
  },
};
