import type { ProblemCase } from '../problem-cases.ts';

const sine = { kind: 'sine', amplitude: 1, period_ms: 100 };

export const signalCases: readonly ProblemCase[] = [
  [
    'a bool begins with 0 or 1',
    { 'signals.enable.initial': '2' },
    ['signals.enable initial invalid_value'],
  ],
  ['a bool may begin with 1', { 'signals.enable.initial': '1' }, []],
  [
    'a whole number has no point',
    { 'signals.page.initial': '1.0' },
    ['signals.page initial invalid_value'],
  ],
  ['uint64 has no sign', { 'signals.page.initial': '-1' }, ['signals.page initial invalid_value']],
  [
    'uint64 ends at 2^64 - 1',
    { 'signals.page.initial': '18446744073709551616' },
    ['signals.page initial invalid_value'],
  ],
  ['uint64 holds 2^64 - 1', { 'signals.page.initial': '18446744073709551615' }, []],
  [
    'int64 ends at 2^63 - 1',
    { 'signals.steps.initial': '9223372036854775808' },
    ['signals.steps initial invalid_value'],
  ],
  ['int64 holds -2^63', { 'signals.steps.initial': '-9223372036854775808' }, []],
  ['float64 holds what a double comes near to', { 'signals.limit.initial': '1e308' }, []],
  [
    'float64 ends at the largest double',
    { 'signals.limit.initial': '1e309' },
    ['signals.limit initial invalid_value'],
  ],
  [
    'an enum ends at 2^63 - 1, as int64 does',
    { 'signals.gear.initial': '9223372036854775808' },
    ['signals.gear initial invalid_value'],
  ],
  [
    'an enum is a whole number',
    { 'signals.gear.initial': '0.5' },
    ['signals.gear initial invalid_value'],
  ],
  ['an enum may begin with a number that has no label', { 'signals.gear.initial': '7' }, []],
  [
    'an enum needs labels',
    { 'signals.gear.labels': undefined },
    ['signals.gear labels missing_field'],
  ],
  [
    'an enum needs at least one label',
    { 'signals.gear.labels': [] },
    ['signals.gear labels missing_field'],
  ],
  [
    'a number has one label',
    {
      'signals.gear.labels': [
        { value: '1', label: 'a' },
        { value: '2', label: 'b' },
        { value: '1', label: 'c' },
      ],
    },
    ['signals.gear labels[2].value duplicate_value'],
  ],
  [
    'labels name numbers of the type',
    {
      'signals.enable.labels': [
        { value: '0', label: 'off' },
        { value: '2', label: 'odd' },
      ],
    },
    ['signals.enable labels[1].value invalid_value'],
  ],
  [
    'labels are allowed for every type',
    { 'signals.limit.labels': [{ value: '-5', label: 'cold' }] },
    [],
  ],
  [
    'a constant needs its value',
    { 'signals.limit.initial': undefined },
    ['signals.limit initial missing_field'],
  ],
  ['software may begin without a value', { 'signals.demand.initial': undefined }, []],
  [
    'the producer waveform needs one',
    { 'signals.wave.waveform': undefined },
    ['signals.wave waveform missing_field'],
  ],
  [
    'others have no waveform',
    { 'signals.limit.waveform': sine },
    ['signals.limit waveform not_applicable'],
  ],
  [
    'only float64 runs smoothly',
    { 'signals.steps.waveform': sine },
    ['signals.steps waveform.kind wrong_signal_type'],
  ],
  [
    'steps are values of the type',
    { 'signals.steps.waveform.values': ['1', '1.5', '-2'] },
    ['signals.steps waveform.values[1] invalid_value'],
  ],
  [
    'a period lasts',
    { 'signals.wave.waveform.period_ms': 0 },
    ['signals.wave waveform.period_ms out_of_range'],
  ],
  ['a period may last less than a millisecond', { 'signals.wave.waveform.period_ms': 0.5 }, []],
  [
    'a waveform stays among doubles',
    { 'signals.wave.waveform.amplitude': 1e308, 'signals.wave.waveform.offset': 1e308 },
    ['signals.wave waveform.amplitude out_of_range'],
  ],
];

export const writerCases: readonly ProblemCase[] = [
  [
    'an input needs a received binding',
    { 'bindings.setpoint_rx': undefined },
    ['signals.setpoint producer no_writer', 'modbus_resources.r_set id no_binding'],
  ],
  [
    'an input has one received binding',
    {
      'bindings.more': {
        signal: 'speed',
        direction: 'rx',
        message: 'Wide',
        codec: 'u8',
        start_bit: 0,
      },
    },
    ['bindings.more signal several_writers'],
  ],
  [
    'a signal may be sent in many places',
    {
      'bindings.more': {
        signal: 'demand',
        direction: 'tx',
        message: 'Command',
        codec: 'u8',
        start_bit: 56,
      },
    },
    [],
  ],
  [
    'what is received needs an input',
    { 'bindings.setpoint_rx.signal': 'page' },
    ['bindings.setpoint_rx signal wrong_producer', 'signals.setpoint producer no_writer'],
  ],
  [
    'a derived signal needs a mapping',
    { 'mappings.filter': undefined },
    ['signals.filtered producer no_writer'],
  ],
  [
    'a mapping writes derived signals',
    { 'mappings.filter.outputs': ['limit'] },
    ['mappings.filter outputs[0] wrong_producer', 'signals.filtered producer no_writer'],
  ],
  [
    'a mapping does not write inputs',
    { 'signals.average.producer': 'input' },
    ['mappings.mean outputs[0] wrong_producer'],
  ],
  [
    'a derived signal has one writer',
    { 'mappings.filter.outputs': ['average'] },
    ['mappings.filter outputs[0] several_writers', 'signals.filtered producer no_writer'],
  ],
  [
    'a processor is a writer too',
    { 'plugins.mixer.outputs': ['blend', 'average'] },
    ['plugins.mixer outputs[1] several_writers'],
  ],
  [
    'an output is named once',
    { 'mappings.filter.outputs': ['filtered', 'filtered'] },
    ['mappings.filter outputs[1] duplicate_value'],
  ],
];
