import type { PluginKind } from '../project/tables/plugins.ts';
import type { SignalType } from '../project/tables/signals.ts';

/** What `plugin-sdk/busbar_plugin.h` says, in the layout of machines with 64 bits. */
export const abiVersion = 1;
export const abiFunction = 'busbar_plugin_abi';

export const kindNumbers: Readonly<Record<PluginKind, number>> = {
  transformation: 1,
  codec: 2,
  e2e: 3,
  processor: 4,
};

export const typeNumbers: Readonly<Record<SignalType, number>> = {
  bool: 1,
  int64: 2,
  uint64: 3,
  float64: 4,
  enum: 5,
};

export const anyType = 0;
/** As a number of signals or bits. */
export const any = 0xffff_ffff;

/** What functions of plugins return. */
export const status = {
  ok: 0,
  failed: 1,
  invalid: 2,
  notAvailable: 3,
  someLost: 4,
  repeated: 5,
  wrongSequence: 6,
} as const;

export const mostItems = 16;
export const mostFrameBytes = 64;
export const mostStateBytes = 256;

/** Bytes of a `busbar_value`, and where its parts are. */
export const valueLayout = { size: 16, type: 0, valid: 1, flags: 2 } as const;

/** A `busbar_item` among the items of a `busbar_round`. */
export const itemLayout = { size: 72, task: 0, length: 4, data: 8 } as const;

export const roundLayout = {
  size: 16 + mostItems * itemLayout.size,
  nowUs: 0,
  itemRoom: 8,
  itemCount: 12,
  items: 16,
} as const;

/** A `busbar_setup`, by the offsets of its members. */
export const setupLayout = {
  size: 72,
  contextLength: 4,
  context: 8,
  inputs: 16,
  outputs: 20,
  inputTypes: 24,
  outputTypes: 32,
  taskLengths: 40,
  tasks: 48,
  bitLength: 52,
  frameLength: 56,
  messageSize: 60,
  message: 64,
} as const;

/** Members of a `busbar_plugin`, in their order. */
export const pluginMembers = {
  abi: 'uint32_t',
  size: 'uint32_t',
  kind: 'uint32_t',
  inputs: 'uint32_t',
  outputs: 'uint32_t',
  bitLength: 'uint32_t',
  stateSize: 'uint32_t',
  reserved: 'uint32_t',
  inputTypes: 'void *',
  outputTypes: 'void *',
  create: 'void *',
  destroy: 'void *',
  reset: 'void *',
  run: 'void *',
  decode: 'void *',
  encode: 'void *',
  protect: 'void *',
  check: 'void *',
  process: 'void *',
} as const;

export const pluginBytes = 120;

/** Arguments of the functions of a plugin. Pointers are typed arrays, or addresses. */
const pointer = 'void *';
export const signatures = {
  create: ['int32_t', [pointer, pointer]],
  destroy: ['void', [pointer]],
  reset: ['void', [pointer]],
  run: ['int32_t', [pointer, pointer, pointer]],
  decode: ['int32_t', [pointer, pointer, pointer]],
  encode: ['int32_t', [pointer, pointer, pointer]],
  protect: ['int32_t', [pointer, pointer, pointer, 'uint32_t']],
  check: ['int32_t', [pointer, pointer, pointer, 'uint32_t']],
  process: ['int32_t', [pointer, pointer, pointer, pointer]],
} as const;

export type FunctionName = keyof typeof signatures;

/** Functions that a plugin of a kind must have. */
export const neededFunctions: Readonly<Record<PluginKind, readonly FunctionName[]>> = {
  transformation: ['create', 'run'],
  codec: ['create', 'decode', 'encode'],
  e2e: ['create', 'protect', 'check'],
  processor: ['create', 'process'],
};
