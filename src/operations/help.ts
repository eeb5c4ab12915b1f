import { Type } from 'typebox';
import { defineOperation } from './define.ts';
import { OperationDescription } from './operation.ts';

const words = 'It speaks about the command line';

export const help = defineOperation({
  id: 'help',
  summary: 'Explain the commands, a category of them, or one in full',
  parameters: {
    category: Type.Optional(
      Type.String({ description: 'First word of a command', examples: ['web'] }),
    ),
    action: Type.Optional(
      Type.String({ description: 'Second word of a command', examples: ['start'] }),
    ),
    detail: Type.Optional(
      Type.String({ description: 'Third word of a command that has one', examples: ['create'] }),
    ),
  },
  result: Type.Union([
    OperationDescription,
    Type.Object({ operations: Type.Array(OperationDescription) }),
  ]),
  errors: ['unknown_command'],
  permission: 'observe',
  execution: { place: 'cli', daemon: 'none', streaming: false },
  cli: { words: ['help'], positionals: ['category', 'action', 'detail'] },
  http: { none: `${words}; GET /api/v1/operations tells the same` },
  examples: ['busbar help', 'busbar help web start', 'busbar help web start --format=json'],
});

export const completion = defineOperation({
  id: 'completion',
  summary: 'Print a completion script for a shell',
  parameters: {
    shell: Type.Enum(['bash', 'zsh', 'fish'], {
      description: 'Shell to complete commands in',
      examples: ['bash'],
    }),
  },
  result: Type.String({ description: 'Source it from the shell’s start file' }),
  errors: [],
  permission: 'observe',
  execution: { place: 'cli', daemon: 'none', streaming: false },
  cli: { words: ['completion'], positionals: ['shell'] },
  http: { none: words },
  examples: ['source <(busbar completion bash)'],
});
