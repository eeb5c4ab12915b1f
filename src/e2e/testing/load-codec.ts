import { invalidArgument } from '../../base/errors/busbar-error.ts';
import { compileCheck } from '../../base/json-schema/check-value.ts';
import { requireE2e } from '../check-fields.ts';
import { E2eSettings } from '../codec-fields.ts';

const check = compileCheck(E2eSettings, { fillDefaults: true });

/** The codec with its defaults, for a payload of so many bytes; throws if it is refused. */
export const loadCodec = (fields: Partial<E2eSettings>, length: number): E2eSettings => {
  const codec = check(fields, [], (at, _rule, message) => {
    throw invalidArgument(at.join('.'), message);
  }) as E2eSettings;
  requireE2e(codec, length);
  return codec;
};
