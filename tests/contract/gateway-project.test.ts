import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Compile } from 'typebox/schema';
import { describe, expect, it } from 'vitest';
import { publishedFiles } from '../../scripts/reference/project-files.ts';
import { demoProject } from '../../src/demo/demo-project.ts';
import { loadProject } from '../../src/gateway/project/load-project.ts';
import { projectSchema } from '../../src/gateway/project/project-schema.ts';
import { coolantProject } from '../../src/gateway/project/testing/coolant-project.ts';
import { plantProject } from '../../src/gateway/project/validate/testing/plant-project.ts';
import { projectText } from '../../src/gateway/project/write-project.ts';
import { repository } from '../support/workbench.ts';

describe('what is published about gateway projects', () => {
  it.each(Object.entries(publishedFiles()))(
    '%s is committed as it is rendered; npm run generate writes it',
    (path, text) => {
      expect(readFileSync(join(repository, path), 'utf8')).toBe(text);
    },
  );
});

describe('the example projects', () => {
  const folder = join(repository, 'examples');

  const projects = readdirSync(folder).filter((name) => name.endsWith('.gwproj'));
  it.each(projects)('%s is sound, and as it would be saved', (name) => {
    const bytes = readFileSync(join(folder, name));
    const text = [...projectText(loadProject(bytes, name))].join('');
    expect(text).toBe(bytes.toString());
    expect(Compile(projectSchema()).Check(JSON.parse(text))).toBe(true);
  });
});

describe('the project of the demonstration vehicle', () => {
  it('is sound, and as it would be saved', () => {
    const text = demoProject();
    const project = loadProject(new TextEncoder().encode(text), 'vehicle-gateway.gwproj');
    expect([...projectText(project)].join('')).toBe(text);
    expect(Compile(projectSchema()).Check(JSON.parse(text))).toBe(true);
  });
});

describe('the schema of gateway projects', () => {
  const schema = Compile(projectSchema());

  it('takes sound projects', () => {
    for (const project of [coolantProject(), plantProject()]) {
      expect(schema.Check(project)).toBe(true);
    }
  });

  it.each([
    ['a field that is not known', { colour: 'red' }],
    ['a value that is a number', { initial: 20 }],
    ['a type that is none', { type: 'int32' }],
  ])('refuses %s', (_, change) => {
    const project = coolantProject();
    Object.assign(project.signals[0], change);
    expect(schema.Check(project)).toBe(false);
  });
});
