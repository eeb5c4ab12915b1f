import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Two cores: more workers only make the timing-sensitive scenarios fight each other.
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'scripts/**/*.test.ts'],
          // Some search through many cases, or build what they run, which a busy machine may stretch.
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: { name: 'console', include: ['console/src/**/*.test.ts'], testTimeout: 30_000 },
      },
      {
        test: {
          name: 'contract',
          include: ['tests/contract/**/*.test.ts'],
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'scenario',
          include: ['tests/{scenario,interop,browser}/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
