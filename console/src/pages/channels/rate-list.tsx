/** Rates in use on benches. */
const commonRates = {
  can: ['125k', '250k', '500k', '800k', '1M'],
  canfd: ['250k', '500k', '1M'],
  data: ['1M', '2M', '4M', '5M', '8M'],
  lin: ['9600', '10400', '19200'],
} as const;

/** Suggestions for a field of bit rates. */
export const RateList = ({
  id,
  bus,
}: {
  readonly id: string;
  readonly bus: keyof typeof commonRates;
}) => (
  <datalist id={id}>
    {commonRates[bus].map((rate) => (
      <option key={rate} value={rate} />
    ))}
  </datalist>
);
