import { Type } from 'typebox';
import { named } from '../../base/schema/schemas.ts';
import { defineOperation } from '../define.ts';

/** A small table with one operation of each kind, for tests of the renderings. */

const Part = named(
  'Part',
  Type.Object({ part_id: Type.String(), store: Type.String() }, { description: 'A part in store' }),
);

const client = { place: 'client', daemon: 'required', streaming: false } as const;

/** Query parameters of every type, some with defaults. */
export const partList = defineOperation({
  id: 'part.list',
  summary: 'List parts',
  parameters: {
    tag: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { description: 'Has this tag' })),
    level: Type.Optional(Type.Array(Type.Integer(), { description: 'Lies on this level' })),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, default: 10, description: 'At most this many' }),
    ),
    min_mass: Type.Optional(Type.Number({ description: 'Weighs no less' })),
    spare: Type.Optional(Type.Boolean({ default: false, description: 'Spare parts only' })),
  },
  result: named('PartList', Type.Object({ parts: Type.Array(Part) })),
  errors: [],
  permission: 'observe',
  execution: client,
  cli: { words: ['part', 'list'], columns: ['part_id', 'store'] },
  http: { method: 'GET', path: '/api/v1/parts', success: 200 },
  examples: ['busbar part list --tag=blue'],
});

export const partShow = defineOperation({
  id: 'part.show',
  summary: 'Show one part',
  description: 'Parts are found by id.\n\nIds never change.',
  parameters: { part_id: Type.String({ minLength: 1, description: 'Id of the part' }) },
  result: Part,
  errors: ['job_not_found'],
  permission: 'observe',
  execution: client,
  cli: { words: ['part', 'show'], positionals: ['part_id'] },
  http: { method: 'GET', path: '/api/v1/parts/{part_id}', success: 200 },
});

/** A path parameter and a body. */
export const partMove = defineOperation({
  id: 'part.move',
  summary: 'Move a part',
  parameters: {
    store: Type.Enum(['left', 'right'], { description: 'Where to' }),
    part_id: Type.String({ minLength: 1, description: 'Id of the part' }),
    note: Type.Optional(Type.String({ description: 'Why' })),
    plan_file: Type.Optional(Type.String({ description: 'Drawing of the store' })),
  },
  result: Part,
  errors: ['capacity_exceeded'],
  permission: 'operate',
  execution: { place: 'bench', daemon: 'start', streaming: false },
  cli: {
    words: ['part', 'move'],
    positionals: ['part_id', 'store'],
    callerPaths: ['plan_file'],
  },
  http: { method: 'POST', path: '/api/v1/parts/{part_id}/moves', success: 201 },
});

export const partDrop = defineOperation({
  id: 'part.drop',
  summary: 'Remove a part',
  parameters: {
    part_id: Type.String({ minLength: 1 }),
    force: Type.Optional(Type.Boolean()),
  },
  result: Part,
  errors: [],
  permission: 'operate',
  execution: client,
  cli: null,
  http: { method: 'DELETE', path: '/api/v1/parts/{part_id}', success: 200 },
});

/** A response that is not JSON. */
export const partReport = defineOperation({
  id: 'report',
  summary: 'Print the stock',
  result: Type.String(),
  errors: [],
  permission: 'observe',
  execution: client,
  cli: { words: ['report'] },
  http: { method: 'GET', path: '/report', success: 200, mediaType: 'text/plain; charset=utf-8' },
});

/** A command that exists only in the CLI. */
export const partLabel = defineOperation({
  id: 'part.label',
  summary: 'Print a label',
  parameters: {
    size: Type.Enum(['a6', 'a7'], { description: 'Size of the paper' }),
    ink: Type.Optional(
      Type.String({ pattern: '^#[0-9a-f]{6}$', 'x-form': 'like #00ff00', description: 'Colour' }),
    ),
    mark: Type.Optional(Type.String({ pattern: '^[A-Z]$', description: 'A letter' })),
  },
  result: Type.String(),
  errors: ['unknown_command'],
  permission: 'administer',
  execution: { place: 'cli', daemon: 'none', streaming: false },
  cli: { words: ['part', 'label'] },
  http: { none: 'Labels come out of a printer' },
});

/** A stream, in a separate list. */
export const partWatch = defineOperation({
  id: 'part.watch',
  summary: 'Follow what happens to parts',
  parameters: {
    tag: Type.Optional(Type.Array(Type.String(), { description: 'Has this tag' })),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, default: 5, description: 'End after so many' }),
    ),
  },
  result: Part,
  errors: [],
  permission: 'observe',
  execution: { ...client, streaming: true },
  cli: { words: ['part', 'watch'] },
  http: { none: 'A sample' },
});

/** Parameters with fields, and others that the command line parses in its own way. */
export const partAdjust = defineOperation({
  id: 'part.adjust',
  summary: 'Adjust a part',
  parameters: {
    part_id: Type.String({ minLength: 1, description: 'Id of the part' }),
    mark: Type.Optional(Type.String({ description: 'Label' })),
    size: Type.Optional(
      Type.Object(
        {
          width: Type.Integer({ minimum: 1, maximum: 100 }),
          unit: Type.Optional(Type.Enum(['mm', 'in'])),
          exact: Type.Optional(Type.Boolean()),
          hole: Type.Optional(
            Type.Object(
              { bore_depth: Type.Integer({ minimum: 0 }), thread: Type.Optional(Type.String()) },
              { additionalProperties: false },
            ),
          ),
        },
        { additionalProperties: false, description: 'How large it is' },
      ),
    ),
    code: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 0xfff, 'x-hex': true, description: 'Its code' }),
    ),
    locked: Type.Optional(Type.Boolean({ description: 'Whether it may be moved' })),
    quiet: Type.Optional(
      Type.Boolean({ description: 'Do not notify other clients', default: false }),
    ),
  },
  result: Part,
  errors: [],
  permission: 'operate',
  execution: client,
  cli: { words: ['part', 'adjust'], positionals: ['part_id', 'mark'] },
  http: { none: 'A sample' },
});

export const sampleOperations = [partList, partShow, partMove, partDrop, partReport, partLabel];
