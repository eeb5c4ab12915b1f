import { Type } from 'typebox';
import { defineOperation } from './define.ts';

export const metrics = defineOperation({
  id: 'metrics',
  summary: 'Print metrics in the Prometheus text format',
  result: Type.String({ description: 'Prometheus text exposition format 0.0.4' }),
  errors: [],
  permission: 'observe',
  execution: { place: 'client', daemon: 'required', streaming: false },
  cli: { words: ['metrics'] },
  http: {
    method: 'GET',
    path: '/metrics',
    success: 200,
    mediaType: 'text/plain; version=0.0.4; charset=utf-8',
  },
});
