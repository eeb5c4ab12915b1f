import type { CheckReport, FirmwareReport, Job } from '../../api/client.ts';

const tableText = ({ rows, output }: { rows: number; output: string }): string =>
  `${rows} rows in ${output}`;

const flashText = ({ bytes, file }: { bytes: number; file: string }): string =>
  `${bytes} bytes of ${file}`;

const firmwareText = ({ device, installed, status, latest }: FirmwareReport): string => {
  const found = `${device} ${installed}: ${status.replaceAll('_', ' ')}`;
  return latest === null || latest.version === installed
    ? found
    : `${found}, latest ${latest.version}`;
};

const checksText = ({ passed, failed, not_observed }: CheckReport): string =>
  `${passed} passed, ${failed} failed, ${not_observed} not observed`;

export const jobOutcome = ({ result, error }: Job): string => {
  if (error) return `${error.code}: ${error.message}`;
  if (result === null) return '';
  if ('checks' in result) return checksText(result);
  if ('rows' in result) return tableText(result);
  return 'bytes' in result ? flashText(result) : firmwareText(result);
};
