/**
 * Reasons that persist until the request, the permissions or the machine change, such as a
 * missing device or an unreadable file.
 */
const lastingReasons: ReadonlySet<unknown> = new Set([
  ...['EACCES', 'EPERM', 'ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'ENAMETOOLONG'],
  ...['ENODEV', 'ENXIO', 'ENOTTY', 'EINVAL', 'ENOTFOUND', 'EADDRNOTAVAIL'],
  ...['not_a_serial_port', 'baud_rate_refused', 'data_format_refused'],
]);

export const retryableUnlessLasting = (reason: unknown): boolean => !lastingReasons.has(reason);
