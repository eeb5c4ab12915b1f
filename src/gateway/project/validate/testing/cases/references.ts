import type { ProblemCase } from '../problem-cases.ts';

export const referenceCases: readonly ProblemCase[] = [
  [
    'a message needs its endpoint',
    { 'messages.Wide.endpoint': 'none' },
    ['messages.Wide endpoint dangling_reference'],
  ],
  [
    'a list needs every row',
    { 'mappings.mean.inputs': ['speed', 'none'] },
    ['mappings.mean inputs[1] dangling_reference'],
  ],
  [
    'a selector is a binding',
    { 'bindings.steps_tx.mux.selector': 'steps' },
    ['bindings.steps_tx mux.selector dangling_reference'],
  ],
  [
    'a transformation needs its plugin',
    { 'mappings.filter.transform.plugin': 'none' },
    ['mappings.filter transform.plugin dangling_reference'],
  ],
  [
    'a codec needs its plugin',
    { 'codecs.packed.plugin': 'none' },
    ['codecs.packed plugin dangling_reference'],
  ],
  [
    'a validity bit by name is a resource',
    {
      'bindings.demand_reg.validity_bit': 'none',
      'modbus_resources.d_valid': undefined,
      'tx_tasks.writes.resources': ['d_demand', 'd_enable'],
    },
    ['bindings.demand_reg validity_bit dangling_reference'],
  ],
  [
    'a rule needs its task',
    { 'fault_rules.lose.task': 'none' },
    ['fault_rules.lose task dangling_reference'],
  ],
];
