import { describe, expect, it } from 'vitest';
import { operations } from '../../src/operations/registry.ts';
import { describeCommands } from '../../src/operations/render/describe.ts';
import { renderManPage } from './man-page.ts';

const page = renderManPage(describeCommands(operations), '1.2.3');
const lines = page.split('\n');

describe('the manual page', () => {
  it('has every command with its usage and parameters', () => {
    const commands = describeCommands(operations);
    for (const { category, action, cli, parameters } of commands) {
      expect(lines).toContain(`.SS ${[category, action].filter(Boolean).join(' ')}`);
      expect(page).toContain(`\\fB${cli?.usage.replaceAll('-', '\\-')}\\fR`);
      for (const { cli: notation } of parameters) {
        if (notation) expect(page).toContain(`\\fB${notation.replaceAll('-', '\\-')}\\fR`);
      }
    }
  });

  it('names its version', () => {
    expect(lines).toContain('.TH BUSBAR 1 "" "Busbar 1.2.3" "User Commands"');
  });

  it('begins no line with what roff would take for a request', () => {
    const requests = lines.filter((line) => /^[.']/.test(line)).map((line) => line.split(' ')[0]);
    expect(new Set(requests)).toEqual(
      new Set(['.\\"', '.TH', '.SH', '.B', '.TP', '.SS', '.PP', '.nf', '.fi', '.RS', '.RE']),
    );
  });
});
