import { vi } from 'vitest';

/** As much of a browser as modules need that look at the page when they are loaded, which is done anew. */
export const stubPage = (hash = ''): void => {
  vi.resetModules();
  vi.stubGlobal('location', { host: 'bench:8080', hash });
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('document', { documentElement: { dataset: {} }, addEventListener: () => {} });
};
