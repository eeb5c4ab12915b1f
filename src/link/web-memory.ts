import { readFileSync } from 'node:fs';
import { writeFileAtomically } from '../base/files/atomic-write.ts';

/** State of the web service that survives stops and daemon restarts. */
export interface WebMemory {
  readonly configuredListen: string | null;
  readonly logLevel: 'off' | 'error' | 'info' | 'debug';
  readonly logDestination: string;
}

const nothing: WebMemory = { configuredListen: null, logLevel: 'info', logDestination: 'stderr' };

const isLevel = (value: unknown): value is WebMemory['logLevel'] =>
  value === 'off' || value === 'error' || value === 'info' || value === 'debug';

/** A missing or damaged file or field is ignored. */
export const readWebMemory = (path: string): WebMemory => {
  let found: Partial<Record<keyof WebMemory, unknown>> = {};
  try {
    found = JSON.parse(readFileSync(path, 'utf8')) ?? {};
  } catch {
    return nothing;
  }
  const { configuredListen, logLevel, logDestination } = found;
  return {
    configuredListen: typeof configuredListen === 'string' ? configuredListen : null,
    logLevel: isLevel(logLevel) ? logLevel : nothing.logLevel,
    logDestination: typeof logDestination === 'string' ? logDestination : nothing.logDestination,
  };
};

export const writeWebMemory = (path: string, memory: WebMemory): void =>
  writeFileAtomically(path, JSON.stringify(memory), 0o600);
