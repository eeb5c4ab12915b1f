import { describe, expect, it } from 'vitest';
import { operations } from '../../operations/registry.ts';
import { renderCliTable } from '../../operations/render/cli-table.ts';
import { type CompletionShell, renderCompletion } from './render-completion.ts';
import { awkwardChoices, awkwardTable } from './testing/awkward-table.ts';

const table = renderCliTable(operations);
const shells: readonly CompletionShell[] = ['bash', 'zsh', 'fish'];

/** The body of the function that lists the options. */
const switchesIn = (script: string): string =>
  /_busbar_switches(?:\(\) \{)?\n([\s\S]*?)\n(?:\}|end)\n/.exec(script)?.[1] ?? '';

/** The part of that function about one command. */
const armOf = (script: string, route: string): string => {
  const lines = switchesIn(script).split('\n');
  const at = lines.findIndex((line) => line.includes(`'${route}'`) && !line.includes('printf'));
  if (at === -1) return '';
  const end = lines.findIndex((line, index) => index >= at && /;;$|printf/.test(line));
  return lines.slice(at, end + 1).join('\n');
};

describe.each(shells)('the completion script for %s', (shell) => {
  const script = renderCompletion(shell, table);

  it.each(table.commands.map((command) => [command.words.join(' '), command] as const))(
    'has the options of %s',
    (route, { parameters }) => {
      const arm = armOf(script, route);
      const options = parameters.filter(({ positional, alsoOption }) => !positional || alsoOption);
      for (const { option, schema } of options) {
        const star = schema.type === 'array' ? '*' : '';
        expect(arm).toContain(`'${star}${option}${schema.type === 'boolean' ? '' : '='}`);
      }
      expect(arm.match(/'\*?--/g) ?? []).toHaveLength(options.length);
    },
  );

  it('has every word of every command', () => {
    for (const word of table.commands.flatMap(({ words }) => words)) {
      expect(script).toContain(`'${word}'`);
    }
  });

  it('has the options that every command takes', () => {
    for (const { option } of table.globals) expect(switchesIn(script)).toContain(`'${option}=`);
    expect(switchesIn(script)).toContain(`'--help`);
  });

  it('is the same text each time, ended by one line end', () => {
    expect(renderCompletion(shell, structuredClone(table))).toBe(script);
    expect(script).toMatch(/[^\n]\n$/);
  });

  it('shows summaries unless the shell has no place for them', () => {
    const summary = 'Show whether the Web service is running, and where';
    expect(script.includes(summary)).toBe(shell !== 'bash');
  });

  it('stars an option that may be repeated', () => {
    expect(renderCompletion(shell, awkwardTable)).toContain(`'*--tag=`);
    expect(script).toContain(`'*--channel=`);
    expect(script).not.toContain(`'*--listen`);
  });

  it('keeps every choice in a quotation of its own', () => {
    const quote = (text: string): string =>
      shell === 'fish'
        ? text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")
        : text.replaceAll("'", `'\\''`);
    const words = awkwardChoices.map((choice) => `'${quote(choice)}'`).join(' ');
    expect(renderCompletion(shell, awkwardTable)).toContain(words);
  });
});

describe('the completion script for zsh', () => {
  it('says in its first line whose completion it is', () => {
    expect(renderCompletion('zsh', table)).toMatch(/^#compdef busbar\n/);
  });
});
