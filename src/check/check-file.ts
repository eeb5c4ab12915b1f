import { type Static, Type } from 'typebox';
import { choice, optional, record } from '../base/schema/field-schemas.ts';
import { e2eRequestFields } from '../e2e/codec-fields.ts';

export const maxChecks = 64;
export const maxCheckText = 4096;

/** As in a gateway project. It is known so that its refusal says why. */
const PluginCodec = record({
  kind: choice(['native'], 'Only of a plugin, which is refused: checks do not run plugins'),
  plugin: Type.String({ description: 'Only of a plugin', minLength: 1, maxLength: 128 }),
});

export const CheckEntry = record({
  id: optional(
    Type.String({
      description: 'Name of the check in reports; default: its number from 1',
      minLength: 1,
      maxLength: 128,
      examples: ['engine-cycle'],
    }),
  ),
  check: Type.String({
    description: 'What must hold',
    minLength: 1,
    maxLength: maxCheckText,
    examples: ['cycle Engine 20ms +-10%'],
  }),
  codec: optional(
    Type.Union([record(e2eRequestFields), PluginCodec], {
      description: 'Protection of an e2e check, as a codec of the kind e2e in a gateway project',
    }),
  ),
});
export type CheckEntry = Static<typeof CheckEntry>;

/** Content of a check file. */
export const CheckFile = record({
  $schema: optional(Type.String({ description: 'Schema of this file, for editors' })),
  checks: Type.Array(CheckEntry, {
    description: 'Checks; each gets a verdict of its own',
    minItems: 1,
    maxItems: maxChecks,
  }),
});
export type CheckFile = Static<typeof CheckFile>;
