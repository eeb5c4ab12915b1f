import { expect, it } from 'vitest';
import { operations } from '../operations/registry.ts';
import { renderCliTable } from '../operations/render/cli-table.ts';
import { filledValues } from './filled-values.ts';

const commandOf = (id: string) => {
  const found = renderCliTable(operations).commands.find((command) => command.id === id);
  if (!found) throw new TypeError(`no command ${id}`);
  return found;
};

it('has what the line says, and what the operation declares for the rest', () => {
  const demo = commandOf('demo');
  expect(filledValues(demo, {})).toEqual({ port: 8080, modbus_port: 5020 });
  expect(filledValues(demo, { port: 0 })).toEqual({ port: 0, modbus_port: 5020 });
});

it('invents nothing where nothing is declared', () => {
  expect(filledValues(commandOf('trace.info'), { file: 'drive.asc' })).toEqual({
    file: 'drive.asc',
  });
});
