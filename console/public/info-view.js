import { byTestId, setText } from './dom.js';

const version = byTestId('version');
const project = byTestId('project-root');

/** Shows which build serves this page, and the directory it works in. */
export const showInfo = (info) => {
  setText(version, info.version);
  version.title = `Contract ${info.contract}, API ${info.api}, Node ${info.node}, ${info.platform}`;
  setText(project, info.service.project_root);
  project.title = info.service.project_root;
};

export const showInfoError = (error) => {
  const text = `${error.code}: ${error.message}`;
  setText(project, text);
  project.title = `${text}. ${error.nextStep}`;
};
