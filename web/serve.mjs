// npm run serve [FOLDER] [PORT]: static files, for looking at the page; also what its tests use.
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { dirname, extname, join, normalize, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const types = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm', '.svg': 'image/svg+xml', '.png': 'image/png' };
/** Serves folders by the beginnings of paths: { '/': dist, '/test/': folder }. */
export function serve(folders, port = 0) {
    const server = createServer(async (request, response) => {
        const path = decodeURIComponent(new URL(request.url, 'http://x').pathname), begin = Object.keys(folders).sort((a, b) => b.length - a.length).find((b) => path.startsWith(b));
        const root = resolve(folders[begin]), file = normalize(join(root, path.slice(begin.length).replace(/^$|\/$/, '/index.html')));
        try {
            if (file !== root && !file.startsWith(root + sep)) throw new Error('outside');
            const data = await readFile(file);
            response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream', 'cache-control': 'no-store' }).end(data);
        } catch {
            response.writeHead(404).end('not found');
        }
    });
    return new Promise((done) => server.listen(port, '127.0.0.1', () => done(server)));
}
if (process.argv[1] === fileURLToPath(import.meta.url)) {
    const server = await serve({ '/': process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), 'dist') }, Number(process.argv[3] ?? 8080));
    console.log(`http://127.0.0.1:${server.address().port}/`);
}
