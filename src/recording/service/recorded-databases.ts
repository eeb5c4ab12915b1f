import type { RecordedDatabase } from '../recording-request.ts';

interface RecordedChannel {
  readonly slot: number;
  readonly number: number;
  readonly databases: { readonly names: readonly string[] };
}

export type DatabaseFile = Omit<RecordedDatabase, 'channels'>;

/** The databases of these channels, or of all, each with the channels that use it. */
export const recordedDatabases = async (
  channels: readonly RecordedChannel[],
  slots: readonly number[] | null,
  read: (names: readonly string[]) => Promise<readonly DatabaseFile[]>,
): Promise<RecordedDatabase[]> => {
  const users = new Map<string, number[]>();
  for (const { slot, number, databases } of channels) {
    if (slots?.includes(slot) === false) continue;
    for (const name of databases.names) {
      const numbers = users.get(name) ?? [];
      numbers.push(number);
      users.set(name, numbers);
    }
  }
  if (users.size === 0) return [];
  const files = await read([...users.keys()]);
  return files.map((file) => ({ ...file, channels: users.get(file.name) ?? [] }));
};
