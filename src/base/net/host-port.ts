export interface HostPort {
  readonly host: string;
  readonly port: number;
}

/** IPv6 addresses need brackets, since they contain colons. */
export const formatHostPort = ({ host, port }: HostPort): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
