import { describe, expect, it } from 'vitest';
import { BusbarError } from '../base/errors/busbar-error.ts';
import { help, operations } from '../operations/registry.ts';
import { renderCliTable } from '../operations/render/cli-table.ts';
import { describeCommands, describeOperation } from '../operations/render/describe.ts';
import {
  partAdjust,
  partLabel,
  partList,
  partMove,
  partReport,
  partShow,
  sampleOperations,
} from '../operations/testing/sample-operations.ts';
import { findDescriptions, renderCommandHelp, renderOverview } from './help.ts';
import { type Palette, plainPalette } from './render/palette.ts';

const marking: Palette = {
  strong: (text) => `<${text}>`,
  faint: (text) => text,
  bad: (text) => text,
};

/** Wide enough for any text to fit on one line. */
const wide = 1000;

const page = (
  operation: Parameters<typeof describeOperation>[0],
  palette = plainPalette,
  width = wide,
) => renderCommandHelp(describeOperation(operation), palette, width);

describe('the overview', () => {
  const overview = renderOverview(renderCliTable([help, ...sampleOperations]), plainPalette, wide);

  it('lists every command with its summary, aligned', () => {
    const lines = overview.split('\n');
    expect(lines).toContain('  busbar part list   List parts');
    expect(lines).toContain('  busbar part label  Print a label');
    expect(lines).toContain('  busbar report      Print the stock');
  });

  it('lists the options of every command', () => {
    expect(overview).toMatch(/^ {2}--format=text\|json\|jsonl\|csv {2}Output format$/m);
    expect(overview).toMatch(/^ {2}--project=<directory> {2,}\S/m);
    expect(overview).toMatch(/^ {2}--help {2,}\S/m);
  });

  it('ends with a line break and has no white space at the end of a line', () => {
    expect(overview).toMatch(/[^\n]\n$/);
    expect(overview).not.toMatch(/[ \t]$/m);
  });
});

describe('the help of one command', () => {
  it('shows usage, parameters, examples, HTTP and errors', () => {
    const text = page(partList);
    expect(text).toMatch(/^List parts\n\nUsage\n {2}busbar part list \[--tag=<tag> …\]/);
    expect(text).toMatch(/^ {2}--limit=<limit> {2,}At most this many \(1 to 100; default 10\)$/m);
    expect(text).toMatch(/^ {2}--spare {2,}Spare parts only$/m);
    expect(text).toContain('\nExamples\n  busbar part list --tag=blue\n');
    expect(text).toContain('\nHTTP\n  GET /api/v1/parts\n');
    expect(text).toMatch(/\nErrors\n(.*\n)* {2}internal_error \(exit 1\) {2,}\S.*\n/);
    expect(text).toMatch(/^ {2}daemon_unreachable \(exit 3\) {2,}\S/m);
  });

  it('names the fields of an option that has some', () => {
    expect(page(partAdjust)).toMatch(
      /^ {2}--size=<field>=<value>,… {2,}How large it is \(fields width, unit=mm\|in, exact, hole.bore_depth, hole.thread\)$/m,
    );
  });

  it('shows the description between summary and usage', () => {
    const start = 'Show one part\n\nParts are found by id.\n\nIds never change.\n\nUsage\n';
    expect(page(partShow).startsWith(start)).toBe(true);
  });

  it('says which parameters are required', () => {
    const text = page(partMove);
    expect(text).toMatch(/^ {2}<part-id> {2,}Id of the part \(required\)$/m);
    expect(text).toMatch(/^ {2}--note=<note> {2,}Why$/m);
  });

  it.each([
    [{ minimum: 1 }, ' (at least 1)'],
    [{ maximum: 9 }, ' (at most 9)'],
    [{ minimum: 0, maximum: 0 }, ' (0 to 0)'],
    [{ default: 0 }, ' (default 0)'],
    [{ default: false }, ''],
    [{}, ''],
  ])('notes the limits %j', (schema, note) => {
    const description = describeOperation(partShow);
    const [parameter] = description.parameters;
    if (!parameter) throw new Error('part.show has a parameter');
    const optional = { ...parameter, required: false, description: 'It', schema };
    const text = renderCommandHelp({ ...description, parameters: [optional] }, plainPalette, wide);
    expect(text).toContain(`  <part-id>  It${note}\n`);
  });

  it.each([80, 120])('stays within a terminal of %i columns', (columns) => {
    const table = renderCliTable(operations);
    const texts = [
      renderOverview(table, plainPalette, columns),
      ...describeCommands(operations).map((found) =>
        renderCommandHelp(found, plainPalette, columns),
      ),
    ];
    const tooLong = texts
      .flatMap((text) => text.split('\n'))
      .filter((line) => line.length > columns);
    // Words that cannot be broken stay whole.
    expect(tooLong.filter((line) => line.trim().includes(' '))).toEqual([]);
  });

  it('lists the errors that a command can meet, and no others', () => {
    const text = page(partShow);
    expect(text).toContain('daemon_unreachable (exit 3)');
    expect(text).not.toContain('too_many_clients');
    expect(text).not.toContain('unauthorized');
  });

  it('leaves out the sections that would be empty', () => {
    const text = page(partReport);
    expect(text).not.toContain('Parameters');
    expect(text).not.toContain('Examples');
  });

  it('says why there is no HTTP resource', () => {
    expect(page(partLabel)).toContain('\nHTTP\n  none: Labels come out of a printer\n');
  });

  it('emphasises its headings', () => {
    const text = page(partList, marking);
    const headings = [...text.matchAll(/^<(\w+)>$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(['Usage', 'Parameters', 'Examples', 'HTTP', 'Errors']);
  });
});

describe('findDescriptions', () => {
  const descriptions = describeCommands([help, ...sampleOperations]);
  const idsOf = (category?: string, action?: string): string | string[] => {
    const found = findDescriptions(descriptions, category, action);
    return 'id' in found ? found.id : found.map(({ id }) => id);
  };

  it('finds all, a category, or one', () => {
    expect(idsOf()).toHaveLength(6);
    expect(idsOf('part')).toEqual(['part.list', 'part.show', 'part.move', 'part.label']);
    expect(idsOf('part', 'move')).toBe('part.move');
  });

  it('takes a category that is a command by itself for that command', () => {
    expect(idsOf('report')).toBe('report');
  });

  it('keeps a category of one a category when its command has an action', () => {
    expect(findDescriptions(describeCommands([partLabel]), 'part', undefined)).toHaveLength(1);
  });

  it.each<[category: string, action: string | undefined, suggestion: string | null]>([
    ['prat', undefined, 'part'],
    ['nonsense', undefined, null],
    ['part', 'mvoe', 'part move'],
    ['part', 'nonsense', null],
    ['report', 'x', null],
  ])('refuses help on %s %s', (category, action, suggestion) => {
    const command = [category, action].filter(Boolean).join(' ');
    try {
      findDescriptions(descriptions, category, action);
      expect.unreachable();
    } catch (thrown) {
      expect(thrown).toBeInstanceOf(BusbarError);
      const { code, message, details } = thrown as BusbarError;
      expect({ code, details }).toEqual({
        code: 'unknown_command',
        details: { command, suggestion },
      });
      const question = suggestion === null ? '' : ` Did you mean ${suggestion}?`;
      expect(message).toBe(`No such command: ${command}.${question}`);
    }
  });
});
