import { Type } from 'typebox';
import { named, nullable, type RecordOf } from '../base/schema/schemas.ts';
import { type LinCommand, linChecksums, linFrameKinds } from './lin-model.ts';
import type { Database, Message } from './model.ts';

const name = (description: string) => Type.String({ description });

const milliseconds = (description: string) =>
  Type.String({ description: `${description}, in milliseconds`, examples: ['5'] });

export const DatabaseLinFrame = named(
  'DatabaseLinFrame',
  Type.Object({
    kind: Type.Enum([...linFrameKinds]),
    publisher: nullable(Type.String(), {
      description: 'Node that sends the data; null for frames of several nodes',
    }),
    checksum: Type.Enum([...linChecksums]),
    frames: Type.Array(Type.String(), { description: 'Frames of an event-triggered frame' }),
    collision_table: nullable(Type.String(), {
      description: 'Schedule table that resolves a collision of the event-triggered frame',
    }),
  }),
);

const DatabaseLinSlave = named(
  'DatabaseLinSlave',
  Type.Object({
    name: Type.String(),
    protocol: nullable(Type.String(), { description: 'LIN version' }),
    initial_nad: nullable(Type.Integer()),
    configured_nad: nullable(Type.Integer()),
    product: nullable(
      Type.Object({
        supplier: Type.Integer(),
        function: Type.Integer(),
        variant: Type.Integer(),
      }),
    ),
    response_error: nullable(Type.String(), { description: 'Signal that reports errors' }),
    fault_state_signals: Type.Array(Type.String()),
    p2_min_ms: milliseconds('Least time between request and response'),
    st_min_ms: milliseconds('Least time between two frames of a response'),
    n_as_timeout_ms: milliseconds('Time-out of the sender'),
    n_cr_timeout_ms: milliseconds('Time-out of the receiver'),
    configurable_frames: Type.Array(
      Type.Object({ frame: Type.String(), message_id: nullable(Type.Integer()) }),
    ),
  }),
);

const commandKinds = [
  'frame',
  'sporadic',
  'master_request',
  'slave_response',
  'assign_nad',
  'save_configuration',
  'assign_frame_id_range',
  'assign_frame_id',
  'unassign_frame_id',
  'data_dump',
  'conditional_change_nad',
  'free_format',
] as const satisfies readonly LinCommand['kind'][];

const DatabaseLinEntry = named(
  'DatabaseLinEntry',
  Type.Object({
    command: Type.Enum([...commandKinds]),
    frame: nullable(Type.String()),
    node: nullable(Type.String()),
    data: Type.Array(Type.Integer(), { description: 'Integers of the command' }),
    delay_ms: milliseconds('Length of the slot'),
  }),
);

export const DatabaseLinNetwork = named(
  'DatabaseLinNetwork',
  Type.Object({
    protocol_version: nullable(Type.String()),
    language_version: nullable(Type.String()),
    bitrate: nullable(Type.Integer(), { description: 'Bits per second' }),
    channel_name: nullable(Type.String()),
    master: nullable(Type.String()),
    time_base_ms: nullable(milliseconds('Unit of the schedule')),
    jitter_ms: nullable(milliseconds('Largest delay of a header after its slot begins')),
    slaves: Type.Array(DatabaseLinSlave),
    sporadic_frames: Type.Array(
      Type.Object({
        name: Type.String(),
        frames: Type.Array(Type.String(), { description: 'By priority, highest first' }),
      }),
    ),
    schedule_tables: Type.Array(
      Type.Object({ name: name('Name'), entries: Type.Array(DatabaseLinEntry) }),
    ),
    omitted: Type.Boolean({
      description: 'Whether slaves, sporadic frames and tables were too large for the response',
    }),
  }),
);
export type LinNetworkRecord = RecordOf<typeof DatabaseLinNetwork>;

export const linMessageRecord = ({ lin }: Message): RecordOf<typeof DatabaseLinFrame> | null =>
  lin === undefined
    ? null
    : {
        kind: lin.kind,
        publisher: lin.publisher,
        checksum: lin.checksum,
        frames: [...lin.frames],
        collision_table: lin.collisionTable,
      };

const dataOf = (command: LinCommand): number[] => {
  if (command.kind === 'assign_frame_id_range') return [command.index, ...(command.pids ?? [])];
  return 'data' in command ? [...command.data] : [];
};

export const linNetworkRecord = ({ lin }: Database): LinNetworkRecord | null =>
  lin === undefined
    ? null
    : {
        protocol_version: lin.protocolVersion,
        language_version: lin.languageVersion,
        bitrate: lin.bitRate,
        channel_name: lin.channelName,
        master: lin.master,
        time_base_ms: lin.timeBaseMs,
        jitter_ms: lin.jitterMs,
        slaves: lin.slaves.map((slave) => ({
          name: slave.name,
          protocol: slave.protocol,
          initial_nad: slave.initialNad,
          configured_nad: slave.configuredNad,
          product: slave.product && {
            supplier: slave.product.supplierId,
            function: slave.product.functionId,
            variant: slave.product.variant,
          },
          response_error: slave.responseError,
          fault_state_signals: [...slave.faultStateSignals],
          p2_min_ms: slave.p2MinMs,
          st_min_ms: slave.stMinMs,
          n_as_timeout_ms: slave.nAsTimeoutMs,
          n_cr_timeout_ms: slave.nCrTimeoutMs,
          configurable_frames: slave.configurableFrames.map(({ frame, messageId }) => ({
            frame,
            message_id: messageId,
          })),
        })),
        sporadic_frames: lin.sporadicFrames.map((frame) => ({
          name: frame.name,
          frames: [...frame.frames],
        })),
        schedule_tables: lin.scheduleTables.map((table) => ({
          name: table.name,
          entries: table.entries.map(({ command, delayMs }) => ({
            command: command.kind,
            frame: 'frame' in command ? command.frame : null,
            node: 'node' in command ? command.node : null,
            data: dataOf(command),
            delay_ms: delayMs,
          })),
        })),
        omitted: false,
      };

/** What remains of a network that exceeds a response. */
export const bareNetwork = (network: LinNetworkRecord): LinNetworkRecord => ({
  ...network,
  protocol_version: null,
  language_version: null,
  channel_name: null,
  master: null,
  slaves: [],
  sporadic_frames: [],
  schedule_tables: [],
  omitted: true,
});
