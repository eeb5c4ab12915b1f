import { describe, expect, it } from 'vitest';
import { searchCommands } from './palette.tsx';

const named = (group: string, title: string) => ({
  id: title,
  group,
  title,
  run: () => undefined,
});
const commands = [
  named('Go to', 'Overview'),
  named('Go to', 'Trace'),
  named('Run', 'channel.list'),
  named('API', 'channel.open'),
  named('API', 'replay.stop'),
  named('Theme', 'dark'),
];
const found = (wanted: string): string[] =>
  searchCommands(commands, wanted).map(({ title }) => title);

describe('the search for a command', () => {
  it('finds everything, in its order, before anything is typed', () => {
    expect(found('  ')).toEqual(commands.map(({ title }) => title));
  });

  it('puts what begins like that first', () => {
    expect(found('tr')[0]).toBe('Trace');
    expect(found('op')[0]).toBe('channel.open');
  });

  it('wants every word, in any order, of title or group', () => {
    expect(found('open channel')).toEqual(['channel.open']);
    expect(found('run channel')[0]).toBe('channel.list');
  });

  it('takes letters that are spread over the title, after all else', () => {
    expect(found('rpst')).toEqual(['replay.stop']);
  });

  it('finds nothing for letters that are not there', () => {
    expect(found('xyz')).toEqual([]);
  });
});
