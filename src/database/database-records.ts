import { Type } from 'typebox';
import { named, nullable, type RecordOf, recordCodes } from '../base/schema/schemas.ts';
import { diagnosticCodes } from './diagnostic-codes.ts';
import { byteOrders } from './model.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });

const decimal = (description: string) => Type.String({ description, examples: ['0.25'] });

const summary = {
  name: Type.String(),
  type: Type.Enum(['dbc']),
  file: Type.String({ description: 'As it was given, inside the project directory' }),
  size_bytes: count('Size of the file'),
  encoding: Type.String({ description: 'How the bytes of the file make characters' }),
  version: nullable(Type.String()),
  messages: count('Messages it describes'),
  signals: count('Signals of all messages'),
  j1939_messages: count(
    'Messages that are J1939 parameter groups: frames find them by PGN, whatever their priority and addresses',
  ),
  nodes: count('Nodes of the network'),
  warnings: count('Things that are not as they should be'),
  errors: count('Statements that could not be read'),
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
      description:
        'Its own in the message: a name that the file has again becomes Name#2 and so on',
    }),
    start_bit: count('Least significant bit (Intel) or most significant bit (Motorola)'),
    length: count('Bits'),
    byte_order: Type.Enum([...byteOrders]),
    kind: Type.Enum(['unsigned', 'signed', 'float32', 'float64']),
    factor: decimal('What the raw value is multiplied by'),
    offset: decimal('What is added then'),
    minimum: nullable(Type.String()),
    maximum: nullable(Type.String()),
    unit: Type.String(),
    receivers: Type.Array(Type.String()),
    is_switch: Type.Boolean({ description: 'Whether other signals depend on it' }),
    multiplexing: nullable(
      Type.Object({
        switch: Type.String(),
        ranges: Type.Array(Type.Object({ from: Type.String(), to: Type.String() })),
      }),
      { description: 'When the signal is in the message; null: always' },
    ),
    values: Type.Array(ValueText),
    values_omitted: count('Values that no answer has room for; 0 but for monstrous signals'),
    comment: nullable(Type.String()),
  }),
);
export type SignalRecord = RecordOf<typeof DatabaseSignal>;

const DatabaseMessage = named(
  'DatabaseMessage',
  Type.Object({
    name: Type.String({
      description:
        'Its own in the database: a name that the file has again becomes Name#2 and so on',
    }),
    id: Type.Integer({ minimum: 0 }),
    extended: Type.Boolean(),
    pgn: nullable(Type.Integer({ minimum: 0 }), {
      description: 'J1939 parameter group that frames find it by; null: they do by its identifier',
    }),
    fd: Type.Boolean(),
    brs: Type.Boolean(),
    length: count('Bytes'),
    senders: Type.Array(Type.String()),
    cycle_time_ms: nullable(Type.Number()),
    comment: nullable(Type.String()),
    signal_offset: count('Place of the first signal shown'),
    signals: Type.Array(DatabaseSignal),
    signals_omitted: count('Signals behind those shown, which the answer has no room for'),
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
    action: Type.String({ description: 'What was made of it' }),
  }),
);
/** Finding about a file. `info` means that nothing is wrong. */
export type Diagnostic = RecordOf<typeof Diagnostic>;

export const DatabaseContent = named(
  'DatabaseContent',
  Type.Object({
    ...summary,
    diagnostics: Type.Array(Diagnostic, { description: 'The first of them' }),
    message_total: count('Messages that there are'),
    message_offset: count('Place of the first message of this page'),
    message_next_offset: count('Where the next page begins; message_total behind the last one'),
    message_page: Type.Array(DatabaseMessage),
  }),
);
export type DatabasePage = RecordOf<typeof DatabaseContent>;
