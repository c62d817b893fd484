// The same bits as the library itself, for every query of the package over the built-in scenes.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { boxwood, replay, work } from './where.mjs';
import { Record, everyQuery, parseMesh } from './record.mjs';

test('every query gives the bits of the native library', { skip: replay ? false : 'boxwood_replay is not built' }, async () => {
    const scenes = join(work, 'scenes');
    mkdirSync(scenes, { recursive: true });
    execFileSync(replay, ['--scenes', scenes]);
    const meshes = new Map();
    const scene = (name) => {
        if (!meshes.has(name)) { const b = readFileSync(join(scenes, `${name}.mesh`)); meshes.set(name, parseMesh(b.buffer.slice(b.byteOffset, b.byteOffset + b.length))); }
        return meshes.get(name);
    };
    const bw = await (await boxwood()).load({ motion: true, budget: true }), record = new Record(bw);
    everyQuery(record, scene);
    writeFileSync(join(work, 'questions.bin'), record.bytes());
    writeFileSync(join(work, 'hashes.json'), JSON.stringify(record.hashes)); // for the browser to compare with
    const native = execFileSync(replay, [join(work, 'questions.bin')], { encoding: 'utf8', maxBuffer: 1 << 26 }).trim().split('\n');
    assert.equal(native.length, record.hashes.length);
    record.hashes.forEach(({ what, hash }, i) => assert.equal(hash, native[i], `answer ${i}, ${what}`));
    assert.ok(record.hashes.length > 100);
});
