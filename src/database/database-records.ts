import { Type } from 'typebox';
import { named, nullable, type RecordOf, recordCodes } from '../base/schema/schemas.ts';
import { diagnosticCodes } from './diagnostic-codes.ts';
import { DatabaseLinFrame, DatabaseLinNetwork } from './lin-records.ts';
import { arrayTexts, byteOrders } from './model.ts';

export const databaseTypes = ['dbc', 'ldf'] as const;
export type DatabaseType = (typeof databaseTypes)[number];

const count = (description: string) => Type.Integer({ minimum: 0, description });

const decimal = (description: string) => Type.String({ description, examples: ['0.25'] });

const summary = {
  name: Type.String(),
  type: Type.Enum([...databaseTypes]),
  file: Type.String({ description: 'As given, inside the project directory' }),
  size_bytes: count('File size'),
  encoding: Type.String({ description: 'Character encoding of the file' }),
  version: nullable(Type.String()),
  messages: count('Number of messages'),
  signals: count('Number of signals in all messages'),
  j1939_messages: count('J1939 messages, matched by PGN regardless of priority and addresses'),
  nodes: count('Number of nodes'),
  warnings: count('Number of diagnostics'),
  errors: count('Number of invalid statements'),
  loaded_at_us: Type.Integer({ description: 'Unix time in microseconds' }),
};

export const DatabaseRecord = named('Database', Type.Object(summary));
export type DatabaseSummary = RecordOf<typeof DatabaseRecord>;

const ValueText = Type.Object({
  raw: Type.String({ description: 'Raw value as a decimal integer' }),
  text: Type.String(),
});

const DatabaseSignal = named(
  'DatabaseSignal',
  Type.Object({
    name: Type.String({
      description: 'Unique in the message: a repeated name becomes Name#2 and so on',
    }),
    start_bit: count('Least significant bit (Intel) or most significant bit (Motorola)'),
    length: count('Bits'),
    byte_order: Type.Enum([...byteOrders]),
    kind: Type.Enum(['unsigned', 'signed', 'float32', 'float64']),
    factor: decimal('Factor that the raw value is multiplied by'),
    offset: decimal('Offset that is added after the factor'),
    minimum: nullable(Type.String()),
    maximum: nullable(Type.String()),
    unit: Type.String(),
    receivers: Type.Array(Type.String()),
    is_switch: Type.Boolean({ description: 'Whether it is a multiplexer switch' }),
    multiplexing: nullable(
      Type.Object({
        switch: Type.String(),
        ranges: Type.Array(Type.Object({ from: Type.String(), to: Type.String() })),
      }),
      { description: 'When the signal is present in the message; null: always' },
    ),
    values: Type.Array(ValueText),
    ranges: nullable(
      Type.Array(
        Type.Object({
          from: Type.String({ description: 'Lowest raw value' }),
          to: Type.String({ description: 'Highest raw value' }),
          factor: decimal('Factor of these raw values'),
          offset: decimal('Offset of these raw values'),
          unit: Type.String(),
        }),
      ),
      {
        description:
          'Raw values with a physical value, each range with its own scale; the first one that fits is used. Null: factor and offset apply to every raw value',
      },
    ),
    array: nullable(Type.Enum([...arrayTexts]), {
      description: 'Text of a byte array; null: the signal is a number',
    }),
    start_value: nullable(Type.String(), {
      description:
        'Raw value that senders use unless they name another; null: the file has none, so all bits are 1 (not available) in J1939, and otherwise the raw value is 0 or the lowest allowed',
    }),
    values_omitted: count(
      'Value descriptions that did not fit into the response; 0 except for huge signals',
    ),
    comment: nullable(Type.String()),
  }),
);
export type SignalRecord = RecordOf<typeof DatabaseSignal>;

export const DatabaseMessage = named(
  'DatabaseMessage',
  Type.Object({
    name: Type.String({
      description: 'Unique in the database: a repeated name becomes Name#2 and so on',
    }),
    id: Type.Integer({ minimum: 0 }),
    extended: Type.Boolean(),
    pgn: nullable(Type.Integer({ minimum: 0 }), {
      description:
        'J1939 parameter group number that frames are matched by; null: they are matched by identifier',
    }),
    fd: Type.Boolean(),
    brs: Type.Boolean(),
    length: count('Bytes'),
    senders: Type.Array(Type.String()),
    cycle_time_ms: nullable(Type.Number()),
    comment: nullable(Type.String()),
    lin: nullable(DatabaseLinFrame, { description: 'Properties of a LIN frame' }),
    signal_offset: count('Index of the first signal shown'),
    signals: Type.Array(DatabaseSignal),
    signals_omitted: count('Signals after the ones shown that did not fit into the response'),
  }),
);
export type MessageRecord = RecordOf<typeof DatabaseMessage>;

const Diagnostic = named(
  'DatabaseDiagnostic',
  Type.Object({
    severity: Type.Enum(['info', 'warning', 'error']),
    code: recordCodes('DatabaseDiagnosticCode', diagnosticCodes),
    line: Type.Integer(),
    column: Type.Integer(),
    message: Type.String(),
    action: Type.String({ description: 'How the reader handled it' }),
  }),
);
/** `info` diagnostics report no error. */
export type Diagnostic = RecordOf<typeof Diagnostic>;

export const DatabaseContent = named(
  'DatabaseContent',
  Type.Object({
    ...summary,
    lin: nullable(DatabaseLinNetwork, { description: 'Nodes and schedules of a LIN network' }),
    diagnostics: Type.Array(Diagnostic, { description: 'First diagnostics' }),
    message_total: count('Total number of messages'),
    message_offset: count('Index of the first message of this page'),
    message_next_offset: count('Index of the next page; message_total after the last page'),
    message_page: Type.Array(DatabaseMessage),
  }),
);
export type DatabasePage = RecordOf<typeof DatabaseContent>;
