import type { ProblemCase } from '../problem-cases.ts';

const served = { endpoint: 'plc', table: 'input', address: 50, access: 'serve' };
const servedBinding = { signal: 'page', direction: 'tx', resource: 'more', codec: 'u16' };
const u32 = { kind: 'linear', raw: 'unsigned', bit_length: 32 };

export const endpointCases: readonly ProblemCase[] = [
  [
    'a server has one unit id',
    { 'endpoints.other': { kind: 'modbus', network: 'plc', role: 'server', node: 2 } },
    ['endpoints.other node several_units'],
  ],
  [
    'servers of two networks have their own',
    { 'endpoints.other': { kind: 'modbus', network: 'plc2', role: 'server', node: 2 } },
    [],
  ],
  [
    'a client has many units',
    { 'endpoints.other': { kind: 'modbus', network: 'drives', role: 'client', node: 6 } },
    [],
  ],
];

export const resourceCases: readonly ProblemCase[] = [
  [
    'a resource is on a Modbus endpoint',
    { 'modbus_resources.d_run.endpoint': 'bus' },
    ['modbus_resources.d_run endpoint wrong_kind'],
  ],
  [
    'a server does not poll',
    { 'modbus_resources.d_run.endpoint': 'plc' },
    ['modbus_resources.d_run access wrong_role'],
  ],
  [
    'a client does not serve',
    { 'modbus_resources.r_page.endpoint': 'drive' },
    ['modbus_resources.r_page access wrong_role'],
  ],
  [
    'inputs are not written from outside',
    { 'modbus_resources.r_set.table': 'input' },
    ['modbus_resources.r_set table read_only_table'],
  ],
  [
    'inputs are not written',
    { 'modbus_resources.d_demand.table': 'input' },
    ['modbus_resources.d_demand table read_only_table'],
  ],
  [
    'coils are written',
    {
      'modbus_resources.d_enable': {
        endpoint: 'drive',
        table: 'coil',
        address: 3,
        access: 'write',
      },
    },
    [],
  ],
  [
    'a coil is one bit',
    { 'modbus_resources.d_run.count': 2 },
    ['modbus_resources.d_run count out_of_range'],
  ],
  [
    'a coil has no bits',
    { 'modbus_resources.d_run.bit_offset': 2 },
    ['modbus_resources.d_run bit_offset not_applicable'],
  ],
  [
    'a bit is of one register',
    { 'modbus_resources.d_enable.count': 2 },
    ['modbus_resources.d_enable count conflicting_fields'],
  ],
  [
    'addresses end',
    { 'modbus_resources.d_demand.address': 65_535 },
    ['modbus_resources.d_demand count out_of_bounds'],
  ],
  [
    'the last two addresses hold two registers',
    { 'modbus_resources.d_demand.address': 65_534 },
    [],
  ],
  [
    'only a poll has a period',
    { 'modbus_resources.r_set.poll_ms': 100 },
    ['modbus_resources.r_set poll_ms not_applicable'],
  ],
  [
    'what goes out does not age',
    { 'modbus_resources.d_demand.stale_after_ms': 100 },
    ['modbus_resources.d_demand stale_after_ms not_applicable'],
  ],
  [
    'a resource is bound',
    { 'modbus_resources.more': served },
    ['modbus_resources.more id no_binding'],
  ],
  [
    'what goes out is bound once',
    { 'bindings.more': { ...servedBinding, resource: 'r_speed' } },
    ['modbus_resources.r_speed id several_bindings'],
  ],
  [
    'a validity bit is not a value as well',
    { 'bindings.more': { signal: 'enable', direction: 'tx', resource: 'r_valid', codec: 'bit' } },
    ['modbus_resources.r_valid id several_bindings'],
  ],
  [
    'what comes in may be read by several',
    {
      'signals.more': { type: 'float64', producer: 'input' },
      'bindings.more': { signal: 'more', direction: 'rx', resource: 'r_set', codec: 's16' },
    },
    [],
  ],
  [
    'served words have one resource',
    { 'modbus_resources.more': { ...served, address: 0 }, 'bindings.more': servedBinding },
    ['modbus_resources.more address overlap'],
  ],
  [
    'a word is served whole or by its bits',
    { 'modbus_resources.more': { ...served, address: 1 }, 'bindings.more': servedBinding },
    ['modbus_resources.more address overlap'],
  ],
  [
    'a bit is served once',
    {
      'modbus_resources.more': { ...served, address: 1, bit_offset: 0 },
      'bindings.more': { ...servedBinding, codec: 'bit' },
    },
    ['modbus_resources.more address overlap'],
  ],
  [
    'bits of a word are served side by side',
    {
      'modbus_resources.more': { ...served, address: 1, bit_offset: 15 },
      'bindings.more': { ...servedBinding, codec: 'bit' },
    },
    [],
  ],
  [
    'long values reach over others',
    {
      'codecs.more': { ...u32, word_order: 'ABCD' },
      'modbus_resources.more': { ...served, table: 'holding', address: 9, count: 2 },
      'bindings.more': { ...servedBinding, codec: 'more' },
    },
    ['modbus_resources.r_set address overlap'],
  ],
  [
    'served and external bits do not share a word',
    {
      'modbus_resources.more': { ...served, table: 'holding', address: 10, bit_offset: 1 },
      'modbus_resources.r_set.bit_offset': 0,
      'bindings.setpoint_rx.codec': 'bit',
      'bindings.more': { ...servedBinding, codec: 'bit' },
    },
    ['modbus_resources.more address overlap'],
  ],
  [
    'tables have addresses of their own',
    {
      'modbus_resources.more': { ...served, table: 'holding', address: 0 },
      'bindings.more': servedBinding,
    },
    [],
  ],
  [
    'what is written may be polled',
    {
      'signals.more': { type: 'float64', producer: 'input' },
      'modbus_resources.more': {
        endpoint: 'drive',
        table: 'holding',
        address: 100,
        count: 2,
        access: 'poll',
      },
      'bindings.more': { signal: 'more', direction: 'rx', resource: 'more', codec: 'f32' },
    },
    [],
  ],
  [
    'written words have one resource',
    { 'modbus_resources.d_enable.address': 101 },
    ['modbus_resources.d_enable address overlap'],
  ],
];

export const registerCases: readonly ProblemCase[] = [
  [
    'a served resource is sent',
    {
      'bindings.page_reg.direction': 'rx',
      'signals.page.producer': 'input',
      'signals.setpoint.producer': 'software',
      'bindings.setpoint_rx': undefined,
      'modbus_resources.r_set': undefined,
    },
    ['bindings.page_reg resource wrong_direction'],
  ],
  [
    'a register has 16 bits',
    { 'bindings.page_reg.codec': 'u8' },
    ['bindings.page_reg codec size_mismatch'],
  ],
  [
    'two registers have 32',
    { 'modbus_resources.d_demand.count': 1 },
    ['bindings.demand_reg codec size_mismatch'],
  ],
  [
    'a coil has one',
    { 'bindings.running_rx.codec': 'u16' },
    ['bindings.running_rx codec size_mismatch'],
  ],
  [
    'several registers have an order',
    { 'codecs.f32.word_order': undefined },
    ['bindings.demand_reg codec missing_field'],
  ],
  [
    'a register is at no bit of a frame',
    { 'bindings.page_reg.start_bit': 0 },
    ['bindings.page_reg start_bit not_applicable'],
  ],
  [
    'a register has no pages',
    { 'bindings.page_reg.mux': { selector: 'page_tx', values: ['1'] } },
    ['bindings.page_reg mux not_applicable'],
  ],
  [
    'a validity bit of a register is a resource',
    { 'bindings.speed_reg.validity_bit': 3, 'modbus_resources.r_valid': undefined },
    ['bindings.speed_reg validity_bit wrong_type'],
  ],
  [
    'a validity bit is one bit',
    {
      'bindings.alarm_reg': undefined,
      'modbus_resources.r_alarm': undefined,
      'modbus_resources.r_valid.table': 'input',
      'modbus_resources.r_valid.address': 5,
    },
    ['bindings.speed_reg validity_bit size_mismatch'],
  ],
  [
    'a bit of a register is one',
    {
      'modbus_resources.r_valid.table': 'input',
      'modbus_resources.r_valid.address': 1,
      'modbus_resources.r_valid.bit_offset': 7,
    },
    [],
  ],
  [
    'a validity bit is of the same endpoint',
    { 'bindings.demand_reg.validity_bit': 'r_valid', 'bindings.speed_reg.validity_bit': 'd_valid' },
    [
      'bindings.demand_reg validity_bit mixed_endpoints',
      'bindings.speed_reg validity_bit mixed_endpoints',
    ],
  ],
  [
    'a validity bit goes the same way',
    {
      'bindings.demand_reg.validity_bit': 'd_run',
      'modbus_resources.d_valid': undefined,
      'tx_tasks.writes.resources': ['d_demand', 'd_enable'],
    },
    ['bindings.demand_reg validity_bit wrong_direction'],
  ],
];
