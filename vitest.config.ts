import { defineConfig } from 'vitest/config';

/**
 * What takes so long hangs. It is no measure of anything: many tests search through cases, build or
 * start programs, which a busy machine stretches to many times what it takes otherwise.
 */
const endlessMs = 180_000;

export default defineConfig({
  test: {
    // Two cores: more workers would only fight each other where tests compute.
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'scripts/**/*.test.ts'],
          // One process for many files: loading the modules anew for each took longer than the tests.
          isolate: false,
          testTimeout: endlessMs,
          hookTimeout: endlessMs,
        },
      },
      {
        test: {
          name: 'console',
          include: ['console/src/**/*.test.ts'],
          isolate: false,
          testTimeout: endlessMs,
        },
      },
      {
        test: {
          name: 'contract',
          include: ['tests/contract/**/*.test.ts'],
          isolate: false,
          testTimeout: endlessMs,
          hookTimeout: endlessMs,
        },
      },
      {
        test: {
          name: 'scenario',
          include: ['tests/{scenario,interop}/**/*.test.ts'],
          isolate: false,
          // They often wait, for a daemon to start or for time to pass, and leave the processor to others.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
          testTimeout: endlessMs,
          hookTimeout: endlessMs,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['tests/browser/**/*.test.ts'],
          isolate: false,
          sequence: { groupOrder: 2 },
          testTimeout: endlessMs,
          hookTimeout: endlessMs,
        },
      },
    ],
  },
});
