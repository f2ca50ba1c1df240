#!/usr/bin/env node
// `npm create lockstep [FOLDER]` is `lockstep init [FOLDER]`.
process.argv.splice(2, 0, 'init');
await import(new URL('cli/lockstep.mjs', import.meta.resolve('lockstep/package.json')).href);
