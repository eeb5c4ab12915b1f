/**
 * Reasons that last until the request, the rights or the machine change: a missing device, a
 * host without an address, an unreadable file.
 */
const lastingReasons: ReadonlySet<unknown> = new Set([
  ...['EACCES', 'EPERM', 'ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'ENAMETOOLONG'],
  ...['ENODEV', 'ENXIO', 'ENOTTY', 'EINVAL', 'ENOTFOUND', 'EADDRNOTAVAIL'],
  ...['not_a_serial_port', 'baud_rate_refused', 'data_format_refused'],
]);

/** `retryable` of an occurrence by its reason. */
export const retryableUnlessLasting = (reason: unknown): boolean => !lastingReasons.has(reason);
