import manifest from '../../package.json' with { type: 'json' };

export const product = {
  name: 'Busbar',
  version: manifest.version,
  contract: '1.6.3',
  api: 'v1',
} as const;
