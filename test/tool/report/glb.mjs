// Scenes of reports by the public validator (npm gltf-validator), and against what the samples are made of:
// node glb.mjs FILE... Errors and warnings fail.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import assert from 'node:assert/strict';

const validator = createRequire(join(process.env.BOXWOOD_NODE_MODULES, 'x.js'))('gltf-validator');
let failed = 0;
for (const file of process.argv.slice(2)) {
  const bytes = new Uint8Array(readFileSync(file)), report = await validator.validateBytes(bytes, { maxIssues: 20 });
  const { numErrors, numWarnings, messages } = report.issues;
  console.log(`${basename(file)}: ${(bytes.length / 1e6).toFixed(2)} MB, ${numErrors} errors, ${numWarnings} warnings, ${report.info.drawCallCount} draws`);
  for (const message of messages) if (message.severity < 2) console.log(`  ${message.code} ${message.pointer}: ${message.message}`);
  failed += numErrors + numWarnings;
  const view = new DataView(bytes.buffer), text = new TextDecoder().decode(bytes.subarray(20, 20 + view.getUint32(12, true))), gltf = JSON.parse(text);
  const clashes = gltf.nodes.filter((n) => n.extras);
  if (basename(file) === 'clash.glb') {
    assert.equal(clashes.length, 7);
    assert.equal(gltf.nodes.length, 1 + 41 + 7);
    assert.ok(gltf.nodes.some((n) => n.name === 'Level 2/Room 1/Pot 0'));
    // The two parts of each clash have different colours, and neither is the grey of the others.
    const material = (name) => gltf.meshes[gltf.nodes.find((n) => n.name === name).mesh].primitives[0].material;
    for (const clash of clashes) {
      const [a, b] = clash.name.replace(/^clash \d+: \w+: /, '').split(' / ').map(material);
      assert.notEqual(a, b);
      for (const m of [a, b]) assert.equal(gltf.materials[m].alphaMode, undefined);
    }
    assert.equal(material('Level 2/Room 6/Ball 35'), gltf.materials.findIndex((m) => m.alphaMode === 'BLEND'));
    assert.equal(gltf.nodes.filter((n) => n.mesh !== undefined && gltf.meshes[n.mesh].primitives[0].mode === 1).length, 5);
    assert.deepEqual(gltf.nodes[0].scale, [0.001, 0.001, 0.001]);
  }
}
process.exit(failed ? 1 : 0);
