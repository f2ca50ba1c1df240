#!/usr/bin/env node
import './modules/register.mjs';

// The parser of macros is a WebAssembly module; that its interface is experimental is no news for users.
process.removeAllListeners('warning');
process.on('warning', (warning) => {
  if (warning.name !== 'ExperimentalWarning') process.stderr.write(`${warning.name}: ${warning.message}\n`);
});
const { ownProcess } = await import('./main.ts');
process.exitCode = await ownProcess(process.argv.slice(2));
