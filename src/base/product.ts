import manifest from '../../package.json' with { type: 'json' };

/** What this build is. */
export const product = {
  name: 'Busbar',
  version: manifest.version,
  /** Release of the API contract that this version implements. */
  contract: '1.6.3',
  api: 'v1',
} as const;
