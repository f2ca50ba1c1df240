/** The direction of imports: kernel <- actors <- machines <- scenarios <- properties <- farm <- cli, and manifests. */
const { readdirSync } = require('node:fs');

const floors = ['kernel', 'actors', 'machines', 'scenarios', 'properties', 'farm', 'cli'];
/** A family is a folder below actors/; the rules read the folders and keep no list. */
const families = readdirSync(`${__dirname}/actors`, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'common')
  .map(({ name }) => name);
/** Tests may ask for any machine by its name. */
const tests = '(\\.(test|campaign)\\.ts$|/testing/)';

const leftOnly = floors.slice(0, -1).map((floor, index) => ({
  name: `${floor}-imports-left-only`,
  comment: `${floor} may import ${['itself', ...floors.slice(0, index)].join(', ')} and libraries`,
  severity: 'error',
  from: { path: `^${floor}/` },
  to: { path: `^(${floors.slice(index + 1).join('|')}|viewer|bench|mutation)/` },
}));

const noManifests = {
  name: 'manifests-are-on-the-top-floor',
  comment: 'manifests join the floors; only the command line, and tests, know all machines',
  severity: 'error',
  from: { path: `^(${floors.slice(0, -1).join('|')})/`, pathNot: tests },
  to: { path: '^manifests/' },
};

const strangers = families.map((family) => ({
  name: `${family}-imports-no-other-family`,
  comment: 'one machine family never imports another',
  severity: 'error',
  from: { path: `^(actors|machines|properties|scenarios)/${family}(/|\\.ts$)` },
  to: { path: `^(actors|machines|properties|scenarios)/(${families.filter((f) => f !== family).join('|')})(/|\\.ts$)` },
}));

module.exports = {
  forbidden: [
    ...leftOnly,
    noManifests,
    ...strangers,
    {
      name: 'browser-floors-import-no-node',
      comment: 'kernel, actors, machines and properties also run in a browser',
      severity: 'error',
      from: { path: '^(kernel|actors|machines|properties)/', pathNot: '\\.(test|campaign)\\.ts$' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'checker-shares-nothing-with-the-model',
      comment: 'specs/cell.md section 12: the checker reads the event log only',
      severity: 'error',
      from: { path: '^properties/cell/checker/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(kernel|actors|machines|scenarios)/' },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node'] },
  },
};
