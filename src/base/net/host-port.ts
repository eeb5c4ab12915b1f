/** Host and port: as a user wrote them, or an address in its one canonical spelling. */
export interface HostPort {
  readonly host: string;
  readonly port: number;
}

/** Of hosts, only IPv6 addresses have colons: in brackets they are told from that of the port. */
export const formatHostPort = ({ host, port }: HostPort): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
