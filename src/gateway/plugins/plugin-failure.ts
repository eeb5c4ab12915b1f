import { BusbarError } from '../../base/errors/busbar-error.ts';

/** Why a plugin cannot be used. */
export type FailureReason =
  | 'missing_file'
  | 'not_a_library'
  | 'wrong_architecture'
  | 'not_loadable'
  | 'missing_symbol'
  | 'wrong_abi'
  | 'wrong_kind'
  | 'missing_function'
  | 'wrong_shape'
  | 'create_failed'
  | 'crashed'
  | 'timed_out'
  | 'too_large'
  | 'interfered'
  | 'unavailable';

export const pluginFailed = (
  plugin: string,
  reason: FailureReason,
  words: string,
  cause?: unknown,
): BusbarError =>
  new BusbarError('plugin_failed', {
    message: `${plugin}: ${words}`,
    details: { field: 'plugins', plugin, reason },
    cause,
  });
