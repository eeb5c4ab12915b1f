export const exceptionCodes = {
  illegal_function: 0x01,
  illegal_data_address: 0x02,
  illegal_data_value: 0x03,
  device_failure: 0x04,
  acknowledge: 0x05,
  device_busy: 0x06,
  negative_acknowledge: 0x07,
  memory_parity_error: 0x08,
  gateway_path_unavailable: 0x0a,
  gateway_target_no_response: 0x0b,
} as const;

export type ExceptionName = keyof typeof exceptionCodes;

const names = new Map<number, ExceptionName>(
  (Object.keys(exceptionCodes) as ExceptionName[]).map((name) => [exceptionCodes[name], name]),
);

export const exceptionName = (code: number): ExceptionName | 'unknown_exception' =>
  names.get(code) ?? 'unknown_exception';

/** Readable exception: `exception 02 (illegal data address)`. */
export const exceptionText = (code: number): string => {
  const name = names.get(code)?.replaceAll('_', ' ') ?? 'unknown';
  return `exception ${code.toString(16).toUpperCase().padStart(2, '0')} (${name})`;
};

export const exceptionCode = (name: string): number | undefined =>
  Object.hasOwn(exceptionCodes, name) ? exceptionCodes[name as ExceptionName] : undefined;

/** Returns whether a gateway reports that its unit did not respond. */
export const isOfGateway = (code: number): boolean =>
  code === exceptionCodes.gateway_path_unavailable ||
  code === exceptionCodes.gateway_target_no_response;
