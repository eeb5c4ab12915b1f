import { type Static, Type } from 'typebox';
import type { JsonSource } from '../../../base/json/json-source.ts';
import { choice, optional } from '../../../base/schema/field-schemas.ts';
import { milliseconds, references, row } from '../fields.ts';

export const pluginKinds = ['transformation', 'codec', 'processor', 'e2e'] as const;
export type PluginKind = (typeof pluginKinds)[number];

export const PluginRow = row({
  kind: choice(pluginKinds, 'What it is used for'),
  library: Type.String({
    description: 'Shared library, relative to the project file and below plugins/',
    minLength: 1,
    maxLength: 4096,
  }),
  entry: Type.String({
    description: 'Name of the function in the library',
    pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
    maxLength: 256,
    'x-rule': 'must be the name of a C function',
  }),
  context: optional(
    Type.Unsafe<JsonSource>(
      Type.Record(Type.String(), Type.Unknown(), { description: 'Settings, handed over as text' }),
    ),
  ),
  inputs: optional(references('signals', 'Signals that a processor reads')),
  outputs: optional(references('signals', 'Signals that a processor writes')),
  send_tasks: optional(references('tx_tasks', 'Tasks for which a processor stages frames')),
  trigger: optional(choice(['on_input', 'period'], 'When a processor runs; default: on_input')),
  period_ms: optional(milliseconds('Time from one run to the next', { minimum: 1 })),
});
export type PluginRow = Static<typeof PluginRow>;
