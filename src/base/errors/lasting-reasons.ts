/**
 * Reasons of the system, and of serial ports, that last until the request, the rights or the machine
 * change: a device that does not exist, a host without an address, a file that may not be read.
 */
const lastingReasons: ReadonlySet<unknown> = new Set([
  ...['EACCES', 'EPERM', 'ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'ENAMETOOLONG'],
  ...['ENODEV', 'ENXIO', 'ENOTTY', 'EINVAL', 'ENOTFOUND', 'EADDRNOTAVAIL'],
  ...['not_a_serial_port', 'baud_rate_refused', 'data_format_refused'],
]);

/** The `retryable` of an error whose code is worth a retry in general, by its reason. */
export const retryableUnlessLasting = (reason: unknown): boolean => !lastingReasons.has(reason);
