/** A network of the size of a vehicle bus, with every kind of statement that takes time. */
export const syntheticDbc = (messages: number): string => {
  const nodes = Array.from({ length: 24 }, (_, index) => `ECU_${index}`);
  const node = (index: number): string => nodes[index % nodes.length] ?? 'ECU_0';
  const frames: string[] = [];
  const comments: string[] = [];
  const attributes: string[] = [];
  const values: string[] = [];
  for (let index = 0; index < messages; index += 1) {
    const id = index % 3 === 0 ? 0x8000_0000 + 0x18f0_0000 + index : index;
    const lines = [`BO_ ${id} Message_${index}: 8 ${node(index)}`];
    comments.push(`CM_ BO_ ${id} "What message ${index} is good for";`);
    attributes.push(`BA_ "GenMsgCycleTime" BO_ ${id} ${10 + (index % 90)};`);
    attributes.push(`BA_ "GenMsgSendType" BO_ ${id} ${index % 3};`);
    for (let signal = 0; signal < 8; signal += 1) {
      const name = `Signal_${index}_${signal}`;
      const start = signal % 2 === 0 ? `${signal * 8}|8@1+` : `${signal * 8 + 7}|8@0-`;
      const receivers = `${node(index + signal)},${node(index + signal + 7)}`;
      const mark = index % 10 === 0 && signal > 0 ? ` m${signal}` : '';
      const scale = '(0.25,-40) [-40|23.75] "degC"';
      lines.push(
        ` SG_ ${name}${index % 10 === 0 && signal === 0 ? ' M' : mark} : ${start} ${scale}  ${receivers}`,
      );
      attributes.push(`BA_ "GenSigStartValue" SG_ ${id} ${name} ${signal};`);
      if (signal % 2 === 0) comments.push(`CM_ SG_ ${id} ${name} "Signal ${signal} of ${index}";`);
      if (signal % 4 === 0) values.push(`VAL_ ${id} ${name} 0 "Off" 1 "On" 2 "Error" 3 "SNA" ;`);
    }
    frames.push(lines.join('\r\n'));
  }
  return [
    'VERSION ""',
    'NS_ :',
    'BS_:',
    `BU_: ${nodes.join(' ')}`,
    ...frames,
    ...comments,
    'BA_DEF_ BO_  "GenMsgCycleTime" INT 0 65535;',
    'BA_DEF_ BO_  "GenMsgSendType" ENUM "Cyclic","Event","None";',
    'BA_DEF_ SG_  "GenSigStartValue" INT 0 65535;',
    'BA_DEF_DEF_ "GenMsgCycleTime" 0;',
    'BA_DEF_DEF_ "GenMsgSendType" "Cyclic";',
    'BA_DEF_DEF_ "GenSigStartValue" 0;',
    ...attributes,
    ...values,
    '',
  ].join('\r\n');
};
