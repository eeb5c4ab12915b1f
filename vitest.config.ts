import { defineConfig } from 'vitest/config';

// Every process would read the certificates of the machine, for a tenth of a second; no test asks afar.
delete process.env.NODE_EXTRA_CA_CERTS;

/**
 * What takes so long hangs. It is no measure of anything: many tests search through cases, build or
 * start programs, which a busy machine stretches to many times what it takes otherwise.
 */
const endlessMs = 180_000;

export default defineConfig({
  test: {
    // Two cores: more workers only make the timing-sensitive scenarios fight each other.
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'scripts/**/*.test.ts', 'tests/reference/**/*.test.ts'],
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
          // Each file anew, as a page is: much of the console is state that its modules hold.
          pool: 'threads',
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
          include: ['tests/{scenario,interop,docs}/**/*.test.ts'],
          isolate: false,
          testTimeout: endlessMs,
          hookTimeout: endlessMs,
        },
      },
      {
        test: {
          name: 'browser',
          // A process for each file: pages stood still in one that other files had used before.
          include: ['tests/browser/**/*.test.ts'],
          testTimeout: endlessMs,
          hookTimeout: endlessMs,
        },
      },
      {
        // Needs CAN interfaces and the right to change them: `npm run test:socketcan` has a machine
        // for it, and `npm test` leaves it out.
        test: {
          name: 'socketcan',
          include: ['tests/socketcan/**/*.test.ts'],
          maxWorkers: 1,
          testTimeout: endlessMs,
          hookTimeout: endlessMs,
        },
      },
    ],
  },
});
