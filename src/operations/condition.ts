import { conditionField } from '../condition/condition-field.ts';
import { ConditionReport } from '../condition/service/condition-record.ts';
import { defineOperation } from './define.ts';

export const conditionCheck = defineOperation({
  id: 'condition.check',
  summary: 'Show how a condition is understood, and how often it fired in the last minute',
  description:
    'Conditions start and stop recorders, filter traces and replays, and are checked. This looks up the names of the condition on the bench and evaluates it over the events that the rings hold. The reference page “Conditions” has the terms.',
  parameters: {
    condition: conditionField('Condition to check', 'signal Engine.EngineSpeed > 3000'),
  },
  result: ConditionReport,
  errors: ['channel_not_open', 'capacity_exceeded'],
  permission: 'observe',
  execution: { place: 'client', daemon: 'required', streaming: false },
  cli: {
    words: ['condition', 'check'],
    positionals: ['condition'],
    columns: { terms: ['term', 'kind', 'channels', 'databases'] },
  },
  http: {
    method: 'POST',
    path: '/api/v1/conditions',
    success: 200,
    bodyName: 'ConditionCheckRequest',
    bodyExamples: {
      short: { condition: 'error' },
      full: { condition: 'frame 123 and signal EngineData.EngineSpeed > 3000 on SIM00001/0' },
    },
  },
  examples: [
    "busbar condition check 'signal Engine.EngineSpeed > 3000'",
    "busbar condition check 'silence 123 100ms on powertrain' --format=json",
  ],
});
