// What the grammar makes of a rule.
'use strict';

const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');
const oniguruma = require('vscode-oniguruma');
const { INITIAL, Registry, parseRawGrammar } = require('vscode-textmate');

const GRAMMAR = path.join(__dirname, '../syntaxes/gdl.tmLanguage.json');

async function grammar() {
  const wasm = fs.readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm'));
  await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.length));
  const onigLib = Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  });
  const loadGrammar = async () => parseRawGrammar(fs.readFileSync(GRAMMAR, 'utf8'), GRAMMAR);
  return new Registry({ onigLib, loadGrammar }).loadGrammar('source.gdl');
}

/** The words of a line, each with its scope. */
function scopes(gdl, line) {
  const found = [];
  for (const { startIndex, endIndex, scopes } of gdl.tokenizeLine(line, INITIAL).tokens) {
    const text = line.slice(startIndex, endIndex).trim();
    const scope = scopes.at(-1).replace(/\.gdl$/, '');
    if (text !== '' && scope !== 'punctuation.section.parens') {
      found.push([text, scope]);
    }
  }
  return found;
}

test('words are what GDL says', async () => {
  const gdl = await grammar();
  assert.deepEqual(scopes(gdl, '(<= (Goal ?r 50) (not (open ?x-1)) terminal) ; (why)'), [
    ['<=', 'keyword.control'],
    ['Goal', 'support.function.keyword'],
    ['?r', 'variable.parameter'],
    ['50', 'constant.numeric'],
    ['not', 'keyword.control'],
    ['open', 'entity.name.function'],
    ['?x-1', 'variable.parameter'],
    ['terminal', 'support.function.keyword'],
    ['; (why)', 'comment.line.semicolon'],
  ]);
  assert.deepEqual(scopes(gdl, '(nextto 4x true) (init (terminals init))'), [
    ['nextto', 'entity.name.function'],
    ['4x true', 'source'],
    ['init', 'support.function.keyword'],
    ['terminals', 'entity.name.function'],
    ['init', 'source'],
  ]);
});
