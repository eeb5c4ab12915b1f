import { vi } from 'vitest';

/** A minimal page for modules that read it when they are loaded; loads them again. */
export const stubPage = (hash = ''): void => {
  vi.resetModules();
  vi.stubGlobal('location', { host: 'bench:8080', hash });
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('document', { documentElement: { dataset: {} }, addEventListener: () => {} });
};
