/** Rows of a project, as far as the gateway needs them. Defaults are filled in where used. */
export type SignalType = 'bool' | 'int64' | 'uint64' | 'float64' | 'enum';
export type ByteOrder = 'intel' | 'motorola';
export type WordOrder = 'ABCD' | 'CDAB' | 'BADC' | 'DCBA';

export interface WaveformRow {
  readonly kind: 'step' | 'sine' | 'triangle' | 'square' | 'ramp';
  readonly values?: readonly string[];
  readonly dwell_ms?: number;
  readonly amplitude?: number;
  readonly offset?: number;
  readonly period_ms?: number;
  readonly phase?: number;
  readonly duty?: number;
  readonly sample_ms?: number;
}

export interface SignalRow {
  readonly id: string;
  readonly type: SignalType;
  readonly producer: 'input' | 'software' | 'waveform' | 'constant' | 'derived';
  readonly initial?: string;
  readonly labels?: readonly { readonly value: string; readonly label: string }[];
  readonly waveform?: WaveformRow;
}

export interface LinearCodecRow {
  readonly id: string;
  readonly kind: 'linear';
  readonly raw: 'unsigned' | 'signed' | 'float32' | 'float64' | 'bool';
  readonly bit_length?: number;
  readonly byte_order?: ByteOrder;
  readonly word_order?: WordOrder;
  readonly factor?: number;
  readonly offset?: number;
  readonly raw_min?: string;
  readonly raw_max?: string;
  readonly special?: readonly { readonly raw: string; readonly state: SpecialState }[];
  readonly invalid_raw?: string;
}
export type SpecialState = 'invalid' | 'not_available' | 'error';

export interface FieldRow {
  readonly start_bit: number;
  readonly bit_length: number;
  readonly byte_order: ByteOrder;
}

export interface ChecksumRow extends FieldRow {
  readonly algorithm: string;
  readonly width?: number;
  readonly reflect?: boolean;
  readonly polynomial?: string;
  readonly initial?: string;
  readonly final_xor?: string;
}

export interface E2eCodecRow {
  readonly id: string;
  readonly kind: 'e2e';
  readonly profile: string;
  readonly data_id?: number;
  readonly data_id_list?: readonly number[];
  readonly data_length?: number;
  readonly offset_bits?: number;
  readonly crc_offset_bits?: number;
  readonly counter_offset_bits?: number;
  readonly nibble_offset_bits?: number;
  readonly max_delta_counter?: number;
  readonly max_no_new_or_repeated?: number;
  readonly sync_counter_init?: number;
  readonly counter_initial?: string;
  readonly counter?: FieldRow & { readonly max: string };
  readonly checksum?: ChecksumRow;
  readonly prefix?: string;
  readonly suffix?: string;
  readonly window?: {
    readonly size: number;
    readonly min_ok: number;
    readonly max_error: number;
  };
}

export interface MessageRow {
  readonly id: string;
  readonly endpoint: string;
  readonly direction: 'rx' | 'tx';
  readonly can_id: number;
  readonly extended?: boolean;
  readonly fd?: boolean;
  readonly brs?: boolean;
  readonly length: number;
  readonly period_ms?: number;
  readonly stale_after_ms?: number;
  readonly fill?: number;
}

export interface PduRow {
  readonly id: string;
  readonly message: string;
  readonly byte_offset: number;
  readonly length: number;
}

export type ModbusTable = 'coil' | 'discrete' | 'holding' | 'input';

export interface ResourceRow {
  readonly id: string;
  readonly endpoint: string;
  readonly table: ModbusTable;
  readonly address: number;
  readonly count?: number;
  readonly bit_offset?: number;
  readonly access: 'poll' | 'write' | 'serve' | 'external';
  readonly poll_ms?: number;
  readonly stale_after_ms?: number;
}

interface BindingFields {
  readonly id: string;
  readonly signal: string;
  readonly direction: 'rx' | 'tx';
  readonly codec: string;
}

/** A binding in a message or PDU. */
export interface FrameBindingRow extends BindingFields {
  readonly message?: string;
  readonly pdu?: string;
  readonly resource?: undefined;
  readonly start_bit: number;
  readonly mux?: { readonly selector: string; readonly values: readonly string[] };
  readonly validity_bit?: number;
}

/** A binding that is a Modbus resource. */
export interface RegisterBindingRow extends BindingFields {
  readonly resource: string;
  readonly validity_bit?: string;
}

export type BindingRow = FrameBindingRow | RegisterBindingRow;

export interface TransformRow {
  readonly kind: 'identity' | 'linear' | 'threshold' | 'math' | 'coordinate';
  readonly function?: string;
  readonly k?: number;
  readonly b?: number;
  readonly threshold?: number;
  readonly hysteresis?: number;
  readonly above?: string;
  readonly below?: string;
  readonly angle_deg?: number;
  readonly origin?: {
    readonly latitude_deg: number;
    readonly longitude_deg: number;
    readonly height_m?: number;
  };
}

export interface MappingRow {
  readonly id: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly transform?: TransformRow;
  readonly max_skew_ms?: number;
  readonly ttl_ms?: number;
}

interface TaskFields {
  readonly id: string;
  readonly policy?: 'periodic' | 'on_change';
  readonly period_ms?: number;
  readonly min_interval_ms?: number;
}

/** A task that sends a message. */
export interface FrameTaskRow extends TaskFields {
  readonly message: string;
  readonly resources?: undefined;
}

/** A task that writes resources of one endpoint. */
export interface WriteTaskRow extends TaskFields {
  readonly resources: readonly string[];
}

export type TaskRow = FrameTaskRow | WriteTaskRow;

export interface E2eRow {
  readonly id: string;
  readonly message?: string;
  readonly pdu?: string;
  readonly direction: 'check' | 'protect';
  readonly codec: string;
}

export interface FaultRow {
  readonly id: string;
  readonly task: string;
  readonly enabled?: boolean;
  readonly kind: string;
  readonly start?: number;
  readonly every?: number;
  readonly count?: number;
  readonly byte_offset?: number;
  readonly mask?: number;
  readonly value?: string;
}

export interface CanEndpointRow {
  readonly id: string;
  readonly kind: 'can';
  readonly network: string;
}

export interface ModbusEndpointRow {
  readonly id: string;
  readonly kind: 'modbus';
  readonly role: 'client' | 'server';
  readonly network: string;
  readonly node: number;
}

export type EndpointRow = CanEndpointRow | ModbusEndpointRow;

export interface Tables {
  readonly endpoints: readonly EndpointRow[];
  readonly signals: readonly SignalRow[];
  readonly codecs: readonly (LinearCodecRow | E2eCodecRow)[];
  readonly messages: readonly MessageRow[];
  readonly pdus: readonly PduRow[];
  readonly modbus_resources: readonly ResourceRow[];
  readonly bindings: readonly BindingRow[];
  readonly mappings: readonly MappingRow[];
  readonly tx_tasks: readonly TaskRow[];
  readonly e2e: readonly E2eRow[];
  readonly fault_rules: readonly FaultRow[];
}

export const tablesOf = (project: object): Tables => ({
  endpoints: [],
  signals: [],
  codecs: [],
  messages: [],
  pdus: [],
  modbus_resources: [],
  bindings: [],
  mappings: [],
  tx_tasks: [],
  e2e: [],
  fault_rules: [],
  ...project,
});

/** The row with an id; only an invalid project names a missing row. */
export const rowOf = <Row extends { readonly id: string }>(
  rows: readonly Row[],
  id: string | undefined,
): Row => {
  const row = rows.find((candidate) => candidate.id === id);
  if (row === undefined) throw new Error(`The project has no row ${id}`);
  return row;
};

export const linearCodecOf = (tables: Tables, binding: BindingRow): LinearCodecRow => {
  const codec = rowOf(tables.codecs, binding.codec);
  if (codec.kind !== 'linear') throw new Error(`Codec ${codec.id} is not linear`);
  return codec;
};

export const frameBindingsOf = ({ bindings }: Tables): FrameBindingRow[] =>
  bindings.flatMap((row) => (row.resource === undefined ? [row] : []));

export const registerBindingsOf = ({ bindings }: Tables): RegisterBindingRow[] =>
  bindings.flatMap((row) => (row.resource === undefined ? [] : [row]));

export const e2eCodecOf = (tables: Tables, row: E2eRow): E2eCodecRow => {
  const codec = rowOf(tables.codecs, row.codec);
  if (codec.kind !== 'e2e') throw new Error(`Codec ${codec.id} is not for protection`);
  return codec;
};

/** The bytes of a frame that contain a row: a whole message, or a PDU of it. */
export interface Container {
  readonly message: MessageRow;
  readonly byteOffset: number;
  readonly length: number;
}

export const containerOf = (
  tables: Tables,
  row: { readonly message?: string; readonly pdu?: string },
): Container => {
  if (row.pdu === undefined) {
    const message = rowOf(tables.messages, row.message);
    return { message, byteOffset: 0, length: message.length };
  }
  const pdu = rowOf(tables.pdus, row.pdu);
  const message = rowOf(tables.messages, pdu.message);
  return { message, byteOffset: pdu.byte_offset, length: pdu.length };
};
