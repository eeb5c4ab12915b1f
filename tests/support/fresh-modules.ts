import { vi } from 'vitest';

// Runs before each test file: its modules are loaded again, without the state of earlier files.
vi.resetModules();
