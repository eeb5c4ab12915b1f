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

/** Whether the system could not load the library of a plugin, so that nothing of it is in the process. */
export const isNotLoaded = (thrown: unknown): boolean =>
  thrown instanceof BusbarError &&
  thrown.details.reason === ('not_loadable' satisfies FailureReason);
