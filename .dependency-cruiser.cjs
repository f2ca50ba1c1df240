/** The direction of imports: kernel <- actors <- machines <- scenarios <- properties <- cli. */
const floors = ['kernel', 'actors', 'machines', 'scenarios', 'properties', 'cli'];
const families = ['cell', 'sunway', 'tca', 'grape', 'chiplet', 'protocols'];

const leftOnly = floors.slice(0, -1).map((floor, index) => ({
  name: `${floor}-imports-left-only`,
  comment: `${floor} may import ${['itself', ...floors.slice(0, index)].join(', ')} and libraries`,
  severity: 'error',
  from: { path: `^${floor}/` },
  to: { path: `^(${floors.slice(index + 1).join('|')}|bench|mutation)/` },
}));

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
