// Starts `gdl lsp` and connects the editor to it.
'use strict';

const { commands, window, workspace } = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

/** The client of the running server, if one runs. */
let client;

/** What was asked for last: starts and stops follow each other, so that one server runs at most. */
let turn = Promise.resolve();

async function start() {
  const command = workspace.getConfiguration('gdl').get('server.path', 'gdl');
  const started = new LanguageClient(
    'gdl',
    'Game Description Language',
    { command, args: ['lsp'] },
    { documentSelector: [{ language: 'gdl' }] },
  );
  try {
    await started.start();
    client = started;
  } catch (error) {
    window.showErrorMessage(
      `Cannot start \`${command} lsp\`: ${error.message}. Set gdl.server.path to the gdl command.`,
    );
  }
}

async function stop() {
  const running = client;
  client = undefined;
  try {
    await running?.stop();
  } catch (error) {
    window.showErrorMessage(`Cannot stop the language server: ${error.message}.`);
  }
}

function afterwards(...steps) {
  for (const step of steps) {
    turn = turn.then(step);
  }
  return turn;
}

const restart = () => afterwards(stop, start);

exports.activate = async (context) => {
  context.subscriptions.push(
    commands.registerCommand('gdl.restart', restart),
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('gdl.server')) {
        restart();
      }
    }),
  );
  await afterwards(start);
};

exports.deactivate = () => afterwards(stop);
