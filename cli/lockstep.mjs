#!/usr/bin/env node
import module from 'node:module';
import { isFresh } from '../build/stamp.mjs';

// The parser of macros is a WebAssembly module; that its interface is experimental is no news for users.
process.removeAllListeners('warning');
process.on('warning', (warning) => {
  if (warning.name !== 'ExperimentalWarning') process.stderr.write(`${warning.name}: ${warning.message}\n`);
});
// From Node 22 on what was compiled once is kept for the next call.
module.enableCompileCache?.();
// A clone runs from its sources until it is built, and whenever they have changed since.
const fresh = isFresh();
if (!fresh) await import('./modules/register.mjs');
const { ownProcess } = await import(fresh ? '../dist/cli-main.js' : './main.ts');
process.exitCode = await ownProcess(process.argv.slice(2));
