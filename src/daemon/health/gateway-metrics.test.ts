import { describe, expect, it } from 'vitest';
import { buildImage } from '../../gateway/image/build-image.ts';
import { LoadCharge } from '../../gateway/instances/budget.ts';
import { InstanceRegistry } from '../../gateway/instances/instance-registry.ts';
import { coolantProject } from '../../gateway/project/testing/coolant-project.ts';
import { readLoose } from '../../gateway/project/testing/read-text.ts';
import { MetricRegistry } from '../../web/metrics/registry.ts';
import { GatewayMetrics, tasksWithMetrics } from './gateway-metrics.ts';

/** An image with this many tasks. */
const imageOf = (tasks: number) => {
  const project = coolantProject();
  const [, message] = project.messages;
  for (let index = 1; index < tasks; index++) {
    const id = `Task${String(index).padStart(4, '0')}`;
    project.messages.push({ ...message, id, can_id: 1000 + index });
    project.tx_tasks.push({ id, message: id });
  }
  return buildImage(readLoose(project).toProject());
};

const rendered = (...tasks: number[]): string => {
  const metrics = new MetricRegistry();
  const gateway = new GatewayMetrics(metrics);
  const registry = new InstanceRegistry();
  for (const [index, count] of tasks.entries()) {
    const ticket = registry.reserve(`instance-${index}`);
    new LoadCharge(ticket).opened(1000);
    registry.commit(ticket, 'a.gwproj', imageOf(count));
  }
  gateway.show(registry.instances());
  return metrics.render();
};

describe('metrics of gateway instances', () => {
  it('are declared before there is an instance', () => {
    expect(rendered()).toContain('# TYPE busbar_gateway_sent_total counter\n');
    expect(rendered()).not.toContain('instance=');
  });

  it('tell state, health and charge of each', () => {
    const text = rendered(1, 2);
    expect(text).toContain('busbar_gateway_state{instance="instance-1",state="loaded"} 1\n');
    expect(text).toContain('busbar_gateway_tasks{instance="instance-1"} 2\n');
    expect(text).toContain('busbar_gateway_memory_budget_bytes{instance="instance-0"} 1000\n');
    expect(text).toContain('# TYPE busbar_gateway_pending gauge\n');
  });

  it('have the first tasks of each instance, and stay within an answer for any number', () => {
    const text = rendered(...Array.from({ length: 16 }, () => 200));
    const sent = text.match(/^busbar_gateway_task_sent_total\{/gm);
    expect(sent).toHaveLength(16 * tasksWithMetrics);
    expect(text).toContain('{instance="instance-15",task="Task0049"} 0\n');
    expect(text).not.toContain('Task0050');
    // The longest label values: 64 and 200 characters.
    expect(text.length + 5 * 16 * tasksWithMetrics * 250).toBeLessThan(2 * 1024 * 1024);
  });
});
