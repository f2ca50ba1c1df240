// As the command does it.
import '../modules/register.mjs';

process.removeAllListeners('warning');
await import('./ptx-worker.ts');
