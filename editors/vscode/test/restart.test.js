// How the extension starts and stops servers.
'use strict';

const assert = require('node:assert');
const Module = require('node:module');
const test = require('node:test');

/** The servers that run; each takes a while to start and to stop. */
const running = new Set();

class LanguageClient {
  async start() {
    await new Promise(setImmediate);
    running.add(this);
  }

  async stop() {
    assert.ok(running.has(this), 'what is still starting cannot be stopped');
    await new Promise(setImmediate);
    running.delete(this);
  }
}

const registered = {};
const vscode = {
  commands: { registerCommand: (name, command) => (registered[name] = command) },
  window: { showErrorMessage: (message) => assert.fail(message) },
  workspace: {
    getConfiguration: () => ({ get: (_, otherwise) => otherwise }),
    onDidChangeConfiguration: (changed) => (registered.changed = changed),
  },
};

const load = Module._load;
Module._load = (name, ...rest) =>
  ({ vscode, 'vscode-languageclient/node': { LanguageClient } })[name] ?? load(name, ...rest);
const { activate, deactivate } = require('../extension.js');

test('one server runs, however often the settings change', async () => {
  const activated = activate({ subscriptions: [] });
  for (let change = 0; change < 3; change += 1) {
    registered.changed({ affectsConfiguration: () => true });
  }
  await activated;
  await registered['gdl.restart']();
  assert.strictEqual(running.size, 1);
  await deactivate();
  assert.strictEqual(running.size, 0);
});
