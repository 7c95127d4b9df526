/**
 * A thread of the library, which it starts itself. It has the same memory as its parent, and no access to files or
 * variables of the environment. It imports packages only, so that it also runs without a build.
 */
import { instantiateNapiModuleSync, MessageHandler } from '@emnapi/core';
import { getDefaultContext } from '@emnapi/runtime';
import { openSync } from 'node:fs';
import { devNull } from 'node:os';
import { parentPort } from 'node:worker_threads';

// The library needs WASI only for time and random numbers. Its module prints a warning when it is loaded.
process.emitWarning = () => {};
const { WASI } = await import('node:wasi');

Object.assign(globalThis, {
  self: globalThis,
  postMessage: (message: unknown) => parentPort?.postMessage(message),
});

/** For what the library prints when it fails. */
const nowhere = openSync(devNull, 'w');

const handler = new MessageHandler({
  onLoad: ({ wasmModule, wasmMemory }) =>
    instantiateNapiModuleSync(wasmModule, {
      childThread: true,
      wasi: new WASI({ version: 'preview1', env: {}, preopens: {}, stdout: nowhere, stderr: nowhere }),
      context: getDefaultContext(),
      overwriteImports: (imports) => ({
        ...imports,
        env: { ...imports['env'], ...imports['napi'], ...imports['emnapi'], memory: wasmMemory },
      }),
    }),
});
// The library interprets the messages of its threads.
parentPort?.on('message', (data: object) => handler.handle({ data }));
