export const manifestOf = (messages, periodMs) => ({
  manifest: 1,
  name: 'many',
  channel: 'SIM00001/0',
  messages: Array.from({ length: messages }, (_, id) => ({
    id,
    extended: false,
    data: '0011223344556677',
    period_ms: periodMs(id),
  })),
});
