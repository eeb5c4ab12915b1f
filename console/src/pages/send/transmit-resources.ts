import { call } from '../../api/client.ts';
import { resource } from '../../state/resource.ts';

export const txTasks = resource(() => call('tx-task.list'), 'tx-task.list');
export const routes = resource(() => call('route.list'), 'route.list');
