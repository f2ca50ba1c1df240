#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { register } from 'tsx/esm/api';

// The sources run as they are, with this project's settings wherever the command is called from.
register({ tsconfig: fileURLToPath(new URL('../tsconfig.json', import.meta.url)) });
// The parser of macros is a WebAssembly module; that its interface is experimental is no news for users.
process.removeAllListeners('warning');
process.on('warning', (warning) => {
  if (warning.name !== 'ExperimentalWarning') process.stderr.write(`${warning.name}: ${warning.message}\n`);
});
const { ownProcess } = await import('./main.ts');
process.exitCode = await ownProcess(process.argv.slice(2));
