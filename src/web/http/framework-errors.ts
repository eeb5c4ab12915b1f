import { BusbarError } from '../../base/errors/busbar-error.ts';

/** Refusals that the HTTP framework makes itself, in our terms. */
const translations: Readonly<Record<string, () => BusbarError>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new BusbarError('unsupported_media_type'),
  FST_ERR_BAD_URL: () =>
    new BusbarError('invalid_argument', { message: 'The path is not valid percent-encoding' }),
  ECONNRESET: () => new BusbarError('invalid_argument', { message: 'The request broke off' }),
  FST_ERR_MAX_PARAM_LENGTH: () => new BusbarError('endpoint_not_found'),
};

/** Whatever a request handler threw, as an error of the table. */
export const busbarErrorOf = (thrown: unknown): BusbarError => {
  if (thrown instanceof BusbarError) return thrown;
  const code = (thrown as { code?: unknown } | null)?.code;
  const translate =
    typeof code === 'string' && Object.hasOwn(translations, code) ? translations[code] : undefined;
  return translate ? translate() : BusbarError.from(thrown);
};
