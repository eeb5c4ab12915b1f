import type { ProblemCase } from '../problem-cases.ts';

const sent = { signal: 'demand', direction: 'tx', message: 'Staged', codec: 'u8', start_bit: 56 };

export const taskCases: readonly ProblemCase[] = [
  [
    'a task sends or writes something',
    { 'tx_tasks.more': { period_ms: 1 } },
    ['tx_tasks.more message missing_field'],
  ],
  [
    'a task does one of both',
    { 'tx_tasks.writes.message': 'Engine' },
    ['tx_tasks.writes resources conflicting_fields', 'tx_tasks.writes message wrong_direction'],
  ],
  [
    'a task sends what is sent',
    { 'tx_tasks.more': { message: 'Engine' } },
    ['tx_tasks.more message wrong_direction'],
  ],
  [
    'a message has a task',
    { 'tx_tasks.sealed': undefined, 'fault_rules.flip': undefined },
    ['messages.Sealed id no_task'],
  ],
  [
    'a message has one task',
    { 'tx_tasks.more': { message: 'Command' } },
    ['tx_tasks.more message several_tasks'],
  ],
  [
    'a resource has a task',
    { 'tx_tasks.writes.resources': ['d_valid', 'd_enable'] },
    ['modbus_resources.d_demand id no_task'],
  ],
  [
    'a resource has one task',
    { 'tx_tasks.more': { resources: ['d_demand'], period_ms: 1 } },
    ['tx_tasks.more resources[0] several_tasks'],
  ],
  [
    'a resource is named once',
    { 'tx_tasks.writes.resources': ['d_demand', 'd_valid', 'd_enable', 'd_demand'] },
    ['tx_tasks.writes resources[3] duplicate_value'],
  ],
  [
    'bits of a word have one task',
    {
      'tx_tasks.writes.resources': ['d_demand', 'd_valid'],
      'tx_tasks.more': { resources: ['d_enable'], policy: 'on_change' },
    },
    ['tx_tasks.more resources[0] split_word'],
  ],
  [
    'bits of a word have one task, by whichever endpoint they are reached',
    {
      'endpoints.other': { kind: 'modbus', network: 'drives', role: 'client', node: 5 },
      'modbus_resources.d_enable.endpoint': 'other',
      'tx_tasks.writes.resources': ['d_demand', 'd_valid'],
      'tx_tasks.more': { resources: ['d_enable'], policy: 'on_change' },
    },
    ['tx_tasks.more resources[0] split_word'],
  ],
  [
    'words may have several',
    {
      'tx_tasks.writes.resources': ['d_enable', 'd_valid'],
      'tx_tasks.more': { resources: ['d_demand'], policy: 'on_change' },
    },
    [],
  ],
  [
    'what is served has no task',
    { 'tx_tasks.writes.resources': ['d_demand', 'd_valid', 'd_enable', 'r_page'] },
    ['tx_tasks.writes resources[3] wrong_access'],
  ],
  [
    'a task writes to one endpoint',
    {
      'endpoints.other': { kind: 'modbus', network: 'drives', role: 'client', node: 6 },
      'modbus_resources.d_enable.endpoint': 'other',
    },
    ['tx_tasks.writes resources[2] mixed_endpoints'],
  ],
  [
    'a periodic task has a period',
    { 'messages.Command.period_ms': undefined },
    ['tx_tasks.command period_ms missing_field'],
  ],
  [
    'periodic writes have one',
    { 'tx_tasks.writes.period_ms': undefined },
    ['tx_tasks.writes period_ms missing_field'],
  ],
  [
    'a task on change has none',
    { 'tx_tasks.pages.period_ms': 5 },
    ['tx_tasks.pages period_ms not_applicable'],
  ],
  ['a message on change may have one', { 'messages.Pages.period_ms': 100 }, []],
  [
    'only a task on change has an interval',
    { 'tx_tasks.command.min_interval_ms': 5 },
    ['tx_tasks.command min_interval_ms not_applicable'],
  ],
  [
    'requests have no timing of their own',
    {
      'tx_tasks.staged.policy': 'on_change',
      'tx_tasks.staged.period_ms': 5,
      'tx_tasks.staged.min_interval_ms': 5,
    },
    [
      'tx_tasks.staged policy not_applicable',
      'tx_tasks.staged period_ms not_applicable',
      'tx_tasks.staged min_interval_ms not_applicable',
    ],
  ],
  [
    'requests are frames',
    { 'tx_tasks.writes.mode': 'request', 'tx_tasks.writes.period_ms': undefined },
    ['tx_tasks.writes resources conflicting_fields'],
  ],
  [
    'requests need a message',
    { 'tx_tasks.more': { mode: 'request' } },
    ['tx_tasks.more message missing_field'],
  ],
  [
    'requests send no signals',
    { 'bindings.more': sent },
    ['bindings.more message request_message'],
  ],
];

const onCommand = { task: 'command' };

export const faultCases: readonly ProblemCase[] = [
  [
    'faults change frames',
    { 'fault_rules.lose.task': 'writes' },
    ['fault_rules.lose task wrong_kind'],
  ],
  [
    'flow rules change no bits',
    { 'fault_rules.more': { ...onCommand, kind: 'repeat', byte_offset: 0, mask: 1, value: '1' } },
    [
      'fault_rules.more byte_offset not_applicable',
      'fault_rules.more mask not_applicable',
      'fault_rules.more value not_applicable',
    ],
  ],
  ['flow rules need no protection', { 'fault_rules.lose.kind': 'bypass' }, []],
  [
    'byte rules need a byte and a mask',
    { 'fault_rules.more': { ...onCommand, kind: 'set_byte' } },
    ['fault_rules.more byte_offset missing_field', 'fault_rules.more mask missing_field'],
  ],
  [
    'byte rules have no value',
    { 'fault_rules.flip.value': '1' },
    ['fault_rules.flip value not_applicable'],
  ],
  [
    'a byte is one of the frame',
    { 'fault_rules.flip.byte_offset': 8 },
    ['fault_rules.flip byte_offset out_of_bounds'],
  ],
  ['a flip flips something', { 'fault_rules.flip.mask': 0 }, ['fault_rules.flip mask no_effect']],
  [
    'a byte may be set to 0',
    { 'fault_rules.flip.kind': 'set_byte', 'fault_rules.flip.mask': 0 },
    [],
  ],
  [
    'a counter rule needs a counter',
    { 'fault_rules.freeze.task': 'staged' },
    ['fault_rules.freeze task unprotected_task'],
  ],
  [
    'a plugin does not tell where its counter is',
    { 'fault_rules.freeze.task': 'sealed' },
    ['fault_rules.freeze task unprotected_task'],
  ],
  [
    'a frozen counter is a count',
    { 'fault_rules.freeze.value': '15' },
    ['fault_rules.freeze value invalid_value'],
  ],
  ['a frozen counter may be the largest', { 'fault_rules.freeze.value': '14' }, []],
  [
    'a frozen counter has no mask',
    { 'fault_rules.freeze.mask': 1 },
    ['fault_rules.freeze mask not_applicable'],
  ],
  [
    'a jump has a width',
    { 'fault_rules.jump.value': undefined },
    ['fault_rules.jump value missing_field'],
  ],
  [
    'a jump may have it as a mask',
    { 'fault_rules.jump.value': undefined, 'fault_rules.jump.mask': 3 },
    [],
  ],
  [
    'a jump moves the counter',
    { 'fault_rules.jump.value': '0' },
    ['fault_rules.jump value no_effect'],
  ],
  [
    'a jump does not end where it began',
    { 'fault_rules.jump.value': '-30' },
    ['fault_rules.jump value no_effect'],
  ],
  [
    'a checksum is spoiled by something',
    { 'fault_rules.spoil.mask': 0 },
    ['fault_rules.spoil mask invalid_value'],
  ],
  [
    'a checksum has its bits',
    { 'fault_rules.spoil.value': '256' },
    ['fault_rules.spoil value invalid_value'],
  ],
  [
    'a checksum is spoiled in no byte of one’s choice',
    { 'fault_rules.spoil.byte_offset': 1 },
    ['fault_rules.spoil byte_offset not_applicable'],
  ],
];

export const pluginCases: readonly ProblemCase[] = [
  ...[
    '/lib/seal.so',
    'seal.so',
    'plugins',
    'plugins/',
    'plugins/../seal.so',
    'plugins//seal.so',
    './plugins/seal.so',
    'plugins/a\\..\\b.so',
  ].map(
    (library): ProblemCase => [
      `a library is not ${library}`,
      { 'plugins.seal.library': library },
      ['plugins.seal library unsafe_path'],
    ],
  ),
  [
    'a library may lie in a folder and have dots',
    { 'plugins.seal.library': 'plugins/a/..seal.v2.so' },
    [],
  ],
  [
    'only processors have signals and triggers',
    {
      'plugins.seal.inputs': ['speed'],
      'plugins.seal.outputs': ['speed'],
      'plugins.seal.send_tasks': ['staged'],
      'plugins.seal.trigger': 'period',
      'plugins.seal.period_ms': 1,
    },
    ['inputs', 'outputs', 'send_tasks', 'trigger', 'period_ms'].map(
      (field) => `plugins.seal ${field} not_applicable`,
    ),
  ],
  [
    'a processor has something to run on',
    { 'plugins.mixer.inputs': undefined },
    ['plugins.mixer inputs missing_field'],
  ],
  [
    'a processor may run by a period alone',
    {
      'plugins.mixer.inputs': undefined,
      'plugins.mixer.trigger': 'period',
      'plugins.mixer.period_ms': 10,
    },
    [],
  ],
  [
    'a period is given',
    { 'plugins.mixer.trigger': 'period' },
    ['plugins.mixer period_ms missing_field'],
  ],
  [
    'a period is for the trigger period',
    { 'plugins.mixer.period_ms': 10 },
    ['plugins.mixer period_ms not_applicable'],
  ],
  [
    'a processor stages requests',
    { 'plugins.mixer.send_tasks': ['command'] },
    ['plugins.mixer send_tasks[0] wrong_kind'],
  ],
  [
    'a task is named once',
    { 'plugins.mixer.send_tasks': ['staged', 'staged'] },
    ['plugins.mixer send_tasks[1] duplicate_value'],
  ],
];
