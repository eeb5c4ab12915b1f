import { type Static, Type } from 'typebox';
import { choice, freeText, record } from '../fields.ts';
import { networkName } from './endpoints.ts';
import { direction } from './messages.ts';

const ImportDefault = record({
  message: Type.String({ description: 'Message that lacked it' }),
  field: Type.String({ description: 'Field that was filled' }),
  value: Type.Integer({ description: 'What it was filled with', minimum: 0 }),
  rule: Type.String({ description: 'Why' }),
});
export type ImportDefault = Static<typeof ImportDefault>;

/** Where rows of a project came from. No time of day: the same import gives the same file. */
export const Provenance = record({
  kind: choice(['dbc'], 'Format'),
  file: freeText('Name of the file'),
  sha256: Type.String({
    description: 'SHA-256 of the file',
    pattern: '^[0-9a-f]{64}$',
    'x-rule': 'must be 64 hexadecimal digits',
  }),
  network: networkName(),
  direction: direction(),
  defaults: Type.Array(ImportDefault, { description: 'What the file did not say', default: [] }),
});
export type Provenance = Static<typeof Provenance>;
