import { timingFields } from '../../../../src/frame/bit-timing.ts';
import { formatBitrate } from '../../format/figures.ts';
import { TextField } from '../../ui/fields.tsx';
import { type TimingDraft, timingResult } from './timing-draft.ts';

const fieldNames: Readonly<Record<keyof TimingDraft, string>> = {
  prescaler: 'Prescaler',
  tseg1: 'TSEG1',
  tseg2: 'TSEG2',
  sjw: 'SJW',
};

interface TimingFieldsProps {
  readonly legend: string;
  /** As the contract names the group: `timing.nominal`. */
  readonly field: string;
  readonly draft: TimingDraft;
  readonly clockHz: number | null;
  readonly problemOf: (field: string) => string | null;
  readonly onChange: (draft: TimingDraft, field: string) => void;
}

/** The four numbers of a bit timing, with the rate and sample point that they give. */
export const TimingFields = (props: TimingFieldsProps) => {
  const { legend, field, draft, clockHz, problemOf, onChange } = props;
  const result = timingResult(draft, clockHz);
  return (
    <fieldset class="timing">
      <legend>
        {legend}{' '}
        <span class="quiet">
          {result &&
            `${formatBitrate(Math.round(result.bitrate))}, sampled at ${(result.samplePoint * 100).toFixed(1)} %`}
        </span>
      </legend>
      {timingFields.map((name) => (
        <TextField
          key={name}
          label={fieldNames[name]}
          value={draft[name]}
          error={problemOf(`${field}.${name}`)}
          onInput={(text) => onChange({ ...draft, [name]: text }, `${field}.${name}`)}
        />
      ))}
    </fieldset>
  );
};
