import type { JsonSchema, Schemas } from '../../../src/base/json-schema/json-schema.ts';
import { type AxisMode, axisModes, type PaneMode, paneModes } from '../plot/panes.ts';
import { type PageId, pages } from '../state/page-list.ts';
import { type PaneTree, splits } from './pane-tree.ts';

/** The API page shows what its address names, and has no state of its own. */
type OfPage = Exclude<PageId, 'layout' | 'api'>;

/** A page without its other parts: it is shown once, like the page. */
const reduced = [
  { id: 'rows-only', title: 'Trace rows', page: 'trace' },
  { id: 'plot', title: 'Plot', page: 'signals' },
] as const satisfies readonly { id: string; title: string; page: PageId }[];

/** Parts that are shown next to their page, or without it. */
const parts = [
  { id: 'values', title: 'Values', page: 'signals' },
  { id: 'catalog', title: 'Catalog', page: 'signals' },
  { id: 'changes', title: 'What changed', page: 'trace' },
  { id: 'statistics', title: 'Statistics by ID', page: 'trace' },
  { id: 'pdus', title: 'PDUs', page: 'trace' },
  { id: 'tasks', title: 'TX tasks', page: 'send' },
] as const satisfies readonly { id: string; title: string; page: PageId }[];

export type LayoutView = OfPage | (typeof reduced)[number]['id'] | (typeof parts)[number]['id'];

interface ShownView {
  readonly id: LayoutView;
  readonly title: string;
  readonly page: OfPage;
  /** Whether it occupies its page, which then cannot be shown in another pane. */
  readonly isWhole: boolean;
}

const isOfPage = (id: PageId): id is OfPage => id !== 'layout' && id !== 'api';

export const layoutViews: readonly ShownView[] = [
  ...pages.flatMap(({ id, title }) =>
    isOfPage(id) ? [{ id, title, page: id, isWhole: true }] : [],
  ),
  ...reduced.map((view) => ({ ...view, isWhole: true })),
  ...parts.map((view) => ({ ...view, isWhole: false })),
];

export const viewOf = (id: LayoutView): ShownView | undefined =>
  layoutViews.find((view) => view.id === id);

const traceViews = ['frames', 'by-id', 'changes', 'statistics', 'pdus'] as const;
const timeModes = ['absolute', 'relative', 'delta'] as const;
const lineModes = ['line', 'step'] as const;
const busDirections = ['', 'rx', 'tx'] as const;

export interface SavedSignal {
  readonly channel: string;
  readonly selector: string;
  readonly database: string;
  readonly message: string;
  readonly source_address?: number | null;
  readonly history: number;
  readonly signal: string;
  readonly plotted: boolean;
  readonly look: number;
}

/** A layout as its file contains it. */
export interface SavedLayout {
  readonly $schema?: string;
  readonly panes: PaneTree<LayoutView>;
  readonly trace?: {
    readonly view: (typeof traceViews)[number];
    readonly time: (typeof timeModes)[number];
    readonly one_row: boolean;
    readonly filter: {
      readonly channel: string;
      readonly id: string;
      readonly name: string;
      readonly direction: (typeof busDirections)[number];
      readonly data: string;
    };
  };
  readonly signals?: {
    readonly signals: readonly SavedSignal[];
    readonly window_us: number;
    readonly panes: PaneMode;
    readonly axes: AxisMode;
    readonly lines: (typeof lineModes)[number];
  };
  readonly instance?: string;
}

const object = (properties: Schemas, optional: readonly string[] = []): JsonSchema => ({
  type: 'object',
  additionalProperties: false,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
});

const text = (description: string): JsonSchema => ({ type: 'string', description, maxLength: 256 });

const oneOf = (description: string, values: readonly string[]): JsonSchema => ({
  type: 'string',
  description,
  enum: values,
});

const panes: JsonSchema = {
  'x-variant': 'show',
  anyOf: [
    object({
      show: oneOf('Two parts: next to each other, or below each other', splits),
      at: { type: 'number', description: 'Share of the first part', minimum: 0, maximum: 1 },
      first: { $ref: '#/$defs/Panes' },
      second: { $ref: '#/$defs/Panes' },
    }),
    object({
      show: oneOf(
        'What the pane shows. Each page is in one pane',
        layoutViews.map(({ id }) => id),
      ),
    }),
  ],
};

const trace = object({
  view: oneOf('View of the Trace page', traceViews),
  time: oneOf('Times of the rows', timeModes),
  one_row: { type: 'boolean', description: 'Whether a frame sent and received is one row' },
  filter: object({
    channel: text('Slots, names or ports'),
    id: text('Identifiers, ranges and masks'),
    name: text('Names of messages'),
    direction: oneOf('Empty for both directions', busDirections),
    data: text('Bytes in hex'),
  }),
});

const byte = { type: 'integer', minimum: 0, maximum: 255 } as const;

const signal = object(
  {
    channel: text('Name of the channel, or of the gateway instance'),
    selector: text('Device and port of the channel'),
    database: text('Database; empty for a signal of a gateway instance'),
    message: text('Message'),
    source_address: {
      description: 'J1939 source address; null for any',
      anyOf: [byte, { type: 'null' }],
    },
    history: { type: 'integer', description: 'Samples kept', minimum: 0 },
    signal: text('Signal'),
    plotted: { type: 'boolean', description: 'Whether the plot shows it' },
    look: { type: 'integer', description: 'Colour of the line', minimum: 0, maximum: 63 },
  },
  ['source_address'],
);

const signals = object({
  signals: { type: 'array', description: 'Selected signals', items: signal, maxItems: 64 },
  window_us: { type: 'integer', description: 'Time shown, in microseconds', minimum: 1 },
  panes: oneOf('What shares a pane of the plot', paneModes),
  axes: oneOf('What shares an axis', axisModes),
  lines: oneOf('Straight lines, or steps', lineModes),
});

export const layoutSchemas: Schemas = { Panes: panes };

export const layoutSchema: JsonSchema = {
  description: 'A layout of the console: its panes, and what they show.',
  ...object(
    {
      $schema: text('Schema of this file'),
      panes: { $ref: '#/$defs/Panes' },
      trace,
      signals,
      instance: text('Gateway instance that gateway pages show'),
    },
    ['$schema', 'trace', 'signals', 'instance'],
  ),
};
