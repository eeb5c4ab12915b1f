/** The pages of the site in order: paths below docs/, without .md. */
export const contents = [
  {
    title: 'Start here',
    pages: [
      'guides/quick-start',
      'guides/installation',
      'guides/demo-vehicle',
      'guides/demo-vehicle-frames',
      'guides/rest-bus',
      'guides/coming-from',
    ],
  },
  {
    title: 'The bus',
    pages: [
      'guides/bench-and-channels',
      'guides/bench-file',
      'guides/socketcan',
      'guides/slcan',
      'guides/lin-adapters',
      'guides/sending',
      'guides/transmit-tasks-and-routes',
      'guides/receiving',
      'guides/event-streams',
      'guides/databases-and-signals',
      'guides/messages-by-name',
      'guides/dbc-files',
      'guides/j1939',
      'guides/diagnostics',
      'guides/simulated-ecus',
      'guides/first-flash',
      'guides/lin-with-an-ldf',
      'guides/traces',
      'guides/trace-formats',
      'guides/logging-and-replay',
      'guides/remote-forwarding',
      'guides/modbus',
      'guides/modbus-server',
      'guides/firmware-checks',
    ],
  },
  {
    title: 'The gateway',
    pages: [
      'guides/first-gateway',
      'guides/gateway-projects',
      'guides/running-a-gateway',
      'guides/gateway-modbus',
      'guides/fault-injection',
      'guides/simulations',
      'guides/plugins',
      'guides/plugin-errors',
    ],
  },
  {
    title: 'The service',
    pages: ['guides/daemon', 'guides/web-service', 'guides/monitoring'],
  },
  {
    title: 'Programs',
    pages: ['guides/scripting', 'guides/http-api', 'guides/python', 'guides/typescript'],
  },
  {
    title: 'Reference',
    pages: [
      'reference/cli',
      'reference/http',
      'reference/errors',
      'reference/record-codes',
      'reference/gateway-project',
      'reference/gateway-rules',
      'reference/diagnostics-files',
    ],
  },
  {
    title: 'Commands and endpoints',
    pages: [
      ...['help', 'daemon', 'info', 'bench', 'channel', 'message', 'tx-task', 'database', 'signal'],
      ...[
        'pdu',
        'isotp',
        'uds',
        'uds-control',
        'lin',
        'logging',
        'modbus',
        'gateway',
        'gateway-values',
        'simulation',
      ],
    ].map((name) => `reference/operations/${name}`),
  },
  {
    title: 'Tables of a gateway project',
    pages: [
      ...['endpoints', 'signals', 'codecs', 'messages', 'pdus', 'modbus_resources', 'bindings'],
      ...['mappings', 'tx_tasks', 'e2e', 'fault_rules', 'plugins'],
    ].map((name) => `reference/gateway-project/${name}`),
  },
];

/** Other files that pages link to, with their paths in the site. */
export const documents = {
  'docs/reference/openapi.json': 'reference/openapi.json',
  'schemas/gwproj.schema.json': 'schemas/gwproj.schema.json',
  'schemas/dids.schema.json': 'schemas/dids.schema.json',
  'schemas/ecu.schema.json': 'schemas/ecu.schema.json',
  'schemas/flash-sequence.schema.json': 'schemas/flash-sequence.schema.json',
  'examples/ecu.json': 'examples/ecu.json',
  'examples/flash-sequence.json': 'examples/flash-sequence.json',
};
