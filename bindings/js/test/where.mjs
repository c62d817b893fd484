// Where the package and the native judge are: BOXWOOD_PACKAGE, BOXWOOD_REPLAY, and a folder for what tests write: BOXWOOD_WORK. ./dev web test sets them.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

export const folder = resolve(process.env.BOXWOOD_PACKAGE ?? 'build/npm');
export const replay = process.env.BOXWOOD_REPLAY ? resolve(process.env.BOXWOOD_REPLAY) : null;
export const work = process.env.BOXWOOD_WORK ? resolve(process.env.BOXWOOD_WORK) : mkdtempSync(join(tmpdir(), 'boxwood-js-'));
export const boxwood = (name = 'index.js') => import(pathToFileURL(join(folder, name)).href);
