import type { BusbarError } from '../base/errors/busbar-error.ts';
import { demoModbus, demoProjectId } from '../demo/demo-bench.ts';

/** A port that was asked for, and the one that was free. */
export interface PortChoice {
  /** 0 asked for any. */
  readonly wanted: number;
  readonly taken: number;
}

/** The gateway of a demonstration. */
export interface DemoGateway {
  /** Its project, as the daemon is told. */
  readonly project: string;
  readonly modbus: PortChoice;
}

interface DemoNotice {
  readonly url: string;
  readonly web: PortChoice;
  /** Or why there is none. */
  readonly gateway: DemoGateway | BusbarError;
}

const isMoved = ({ wanted, taken }: PortChoice): boolean => wanted !== 0 && wanted !== taken;

/** Where the Modbus server of a demonstration is. */
export const modbusEndpoint = ({ taken }: PortChoice): string => `tcp:${demoModbus.host}:${taken}`;

const gatewayLines = (gateway: DemoNotice['gateway']): string[] => {
  if (gateway instanceof Error) return [`Gateway  not started: ${gateway.message}`];
  const place = `--endpoint=${modbusEndpoint(gateway.modbus)} --unit=${demoModbus.unit}`;
  return [
    `Gateway  busbar gateway watch --instance=${demoProjectId}    (${gateway.project})`,
    `Modbus   busbar modbus read ${place} --table=input --address=0 --count=5`,
  ];
};

const movedLines = ({ web, gateway }: DemoNotice): string[] => {
  const modbus = gateway instanceof Error ? undefined : gateway.modbus;
  const instead = ({ taken }: PortChoice) => `127.0.0.1:${taken} instead.`;
  return [
    ...(isMoved(web) ? [`Port ${web.wanted} is taken; using ${instead(web)}`] : []),
    ...(modbus && isMoved(modbus)
      ? [`Port ${modbus.wanted} is taken; Modbus uses ${instead(modbus)}`]
      : []),
  ];
};

/** What a demonstration tells once it runs: where everything is, and what to try. */
export const demoNotice = (notice: DemoNotice): string =>
  [
    ...movedLines(notice),
    `Console  ${notice.url}`,
    `API      ${notice.url}api/v1/openapi.json`,
    'Traffic  busbar message recv    (in another terminal)',
    'Signals  busbar signal watch',
    ...gatewayLines(notice.gateway),
    'Press Ctrl-C to stop.',
    '',
  ].join('\n');
