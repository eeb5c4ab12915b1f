import type { ProblemCase } from '../problem-cases.ts';

const math = (name: string) => ({ kind: 'math', function: name });
const direct = (inputs: string[], outputs: string[]) => ({ inputs, outputs });

export const mappingCases: readonly ProblemCase[] = [
  [
    'identity takes one signal',
    { 'mappings.filter.transform': undefined, 'mappings.filter.inputs': ['speed', 'wave'] },
    ['mappings.filter inputs wrong_arity'],
  ],
  ['identity is the default', { 'mappings.filter.transform': undefined }, []],
  [
    'average takes two or more',
    { 'mappings.mean.inputs': ['speed'] },
    ['mappings.mean inputs wrong_arity'],
  ],
  ['average may take one twice', { 'mappings.mean.inputs': ['speed', 'speed'] }, []],
  [
    'sub takes two',
    { 'mappings.mean.transform': math('sub') },
    ['mappings.mean inputs wrong_arity'],
  ],
  [
    'rotation gives two',
    { 'mappings.turn.outputs': ['x'] },
    ['mappings.turn outputs wrong_arity', 'signals.y producer no_writer'],
  ],
  ['a plugin takes and gives what it likes', { 'mappings.filter.inputs': ['speed', 'wave'] }, []],
  [
    'a plugin for mappings is a transformation',
    { 'mappings.filter.transform.plugin': 'seal' },
    ['mappings.filter transform.plugin wrong_kind'],
  ],
  [
    'a level is a value of the output',
    { 'mappings.guard.transform.above': '2' },
    ['mappings.guard transform.above invalid_value'],
  ],
  [
    'a level of a float may be any number',
    {
      'signals.alarm.type': 'float64',
      'mappings.guard.transform.above': '2.5',
      'mappings.choose': undefined,
      'signals.chosen': undefined,
    },
    [],
  ],
  [
    'select is decided by a bool',
    { 'mappings.choose.inputs': ['speed', 'limit', 'demand'] },
    ['mappings.choose inputs[0] wrong_signal_type'],
  ],
  [
    'logic is of bools',
    { 'mappings.choose': { ...direct(['alarm', 'speed'], ['chosen']), transform: math('or') } },
    ['mappings.choose inputs[1] wrong_signal_type', 'mappings.choose outputs[0] wrong_signal_type'],
  ],
  [
    'logic gives a bool',
    {
      'signals.chosen.type': 'bool',
      'mappings.choose': { ...direct(['alarm', 'running'], ['chosen']), transform: math('or') },
    },
    [],
  ],
  [
    'coordinates are numbers',
    { 'signals.y.type': 'bool', 'mappings.turn.inputs': ['speed', 'alarm'] },
    ['mappings.turn inputs[1] wrong_signal_type', 'mappings.turn outputs[1] wrong_signal_type'],
  ],
];

export const circleCases: readonly ProblemCase[] = [
  [
    'a signal does not depend on itself',
    { 'mappings.filter.inputs': ['filtered'] },
    ['mappings.filter inputs circular'],
  ],
  [
    'mappings do not go round in a circle',
    { 'mappings.mean.inputs': ['speed', 'chosen'] },
    ['mappings.mean inputs circular'],
  ],
  [
    'a processor that runs on its inputs closes a circle',
    { 'mappings.mean.inputs': ['speed', 'blend'] },
    ['mappings.mean inputs circular'],
  ],
  [
    'one that runs by its period does not',
    {
      'mappings.mean.inputs': ['speed', 'blend'],
      'plugins.mixer.trigger': 'period',
      'plugins.mixer.period_ms': 10,
    },
    [],
  ],
];
