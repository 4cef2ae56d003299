// Starts `gdl lsp` and connects the editor to it.
'use strict';

const { commands, window, workspace } = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

/** The client of the running server, if one runs. */
let client;

async function start() {
  const command = workspace.getConfiguration('gdl').get('server.path', 'gdl');
  client = new LanguageClient(
    'gdl',
    'Game Description Language',
    { command, args: ['lsp'] },
    { documentSelector: [{ language: 'gdl' }] },
  );
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    window.showErrorMessage(
      `Cannot start \`${command} lsp\`: ${error.message}. Set gdl.server.path to the gdl command.`,
    );
  }
}

async function stop() {
  const running = client;
  client = undefined;
  await running?.stop();
}

async function restart() {
  await stop();
  await start();
}

exports.activate = async (context) => {
  context.subscriptions.push(
    commands.registerCommand('gdl.restart', restart),
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('gdl.server')) {
        restart();
      }
    }),
  );
  await start();
};

exports.deactivate = stop;
