import { describe, expect, it } from 'vitest';
import { operations } from '../operations/registry.ts';
import { packCliTable, renderCliTable } from '../operations/render/cli-table.ts';
import { CommandTable } from './command-table.ts';

const rendered = renderCliTable(operations);
const packed = packCliTable(rendered);

describe('CommandTable', () => {
  it('is the rendered table again, in the same order', () => {
    const { commands, globals } = new CommandTable(packed);
    expect({ commands, globals }).toEqual(rendered);
  });

  it('finds the commands of a category', () => {
    const commands = new CommandTable(packed).commandsOf('web');
    expect(commands.map(({ id }) => id)).toEqual(['web.start', 'web.status', 'web.stop']);
  });

  it.each(['', 'we', 'constructor'])('has no commands for %j', (word) => {
    expect(new CommandTable(packed).commandsOf(word)).toEqual([]);
  });

  it('parses only what is asked for, and that once', () => {
    const corrupted = packed
      .split('\n')
      .map((line) => (line.includes('"web.status"') || line.includes('"globals"') ? line : '?'));
    const table = new CommandTable(corrupted.join('\n'));
    expect(table.commandsOf('web')).toHaveLength(3);
    expect(table.commandsOf('web')).toBe(table.commandsOf('web'));
    expect(() => table.commands).toThrow(SyntaxError);
  });
});
