/**
 * Words that begin a statement. After an error, reading resumes at a line that starts with one.
 */
export const statementKeywords = [
  'VERSION',
  'NS_',
  'BS_',
  'BU_',
  'VAL_TABLE_',
  'BO_',
  'SG_',
  'BO_TX_BU_',
  'EV_',
  'ENVVAR_DATA_',
  'CM_',
  'BA_DEF_',
  'BA_DEF_REL_',
  'BA_DEF_DEF_',
  'BA_DEF_DEF_REL_',
  'BA_',
  'BA_REL_',
  'VAL_',
  'SIG_VALTYPE_',
  'SIG_GROUP_',
  'SG_MUL_VAL_',
] as const;

export const reservedKeywords = [
  'BA_DEF_SGTYPE_',
  'BA_SGTYPE_',
  'CAT_',
  'CAT_DEF_',
  'EV_DATA_',
  'FILTER',
  'NS_DESC_',
  'SGTYPE_',
  'SGTYPE_VAL_',
  'SIGTYPE_VALTYPE_',
  'SIG_TYPE_REF_',
] as const;

const relationKeywords = ['BU_SG_REL_', 'BU_EV_REL_', 'BU_BO_REL_'] as const;

export const newSymbols = [
  'NS_DESC_',
  'CM_',
  'BA_DEF_',
  'BA_',
  'VAL_',
  'CAT_DEF_',
  'CAT_',
  'FILTER',
  'BA_DEF_DEF_',
  'EV_DATA_',
  'ENVVAR_DATA_',
  'SGTYPE_',
  'SGTYPE_VAL_',
  'BA_DEF_SGTYPE_',
  'BA_SGTYPE_',
  'SIG_TYPE_REF_',
  'VAL_TABLE_',
  'SIG_GROUP_',
  'SIG_VALTYPE_',
  'SIGTYPE_VALTYPE_',
  'BO_TX_BU_',
  'BA_DEF_REL_',
  'BA_REL_',
  'BA_DEF_DEF_REL_',
  ...relationKeywords,
  'SG_MUL_VAL_',
] as const;

export const keywords: ReadonlySet<string> = new Set([
  ...statementKeywords,
  ...reservedKeywords,
  ...relationKeywords,
]);
