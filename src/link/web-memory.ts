import { readFileSync } from 'node:fs';
import { writeFileAtomically } from '../base/files/atomic-write.ts';

/** What the Web service remembers of its last start, across stops and daemons. */
export interface WebMemory {
  /** Endpoint of the last successful start that was told where to listen. */
  readonly configuredListen: string | null;
  readonly logLevel: 'off' | 'error' | 'info' | 'debug';
  readonly logDestination: string;
}

const nothing: WebMemory = { configuredListen: null, logLevel: 'info', logDestination: 'stderr' };

/** A file that is missing or spoilt remembers nothing; it only informs. */
export const readWebMemory = (path: string): WebMemory => {
  try {
    const found = JSON.parse(readFileSync(path, 'utf8')) as Partial<WebMemory>;
    return { ...nothing, ...found };
  } catch {
    return nothing;
  }
};

export const writeWebMemory = (path: string, memory: WebMemory): void =>
  writeFileAtomically(path, JSON.stringify(memory), 0o600);
