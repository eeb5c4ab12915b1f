/** A host and a port as one text, with brackets where the host has colons of its own. */
export const hostPort = (host: string, port: number): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
